"""The command line of sqlite-utils, with the durability that the others have: its own would sync at every batch."""

import sqlite3

from sqlite_utils.cli import cli

connect = sqlite3.connect


def connect_normally(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


sqlite3.connect = connect_normally
cli()
