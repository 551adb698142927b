"""What an area chair could work out about reviews outside their papers, attacked and counted."""
