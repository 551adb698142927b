"""Mutation testing: a change of one operator or number that no test notices shows what is not tested."""
