"""The web application: conferences, runs, and exactly their papers for every area chair."""
