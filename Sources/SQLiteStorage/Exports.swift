// What a store is and the changes of its commits are part of every function's face here: what imports SQLiteStorage has them, too.
@_exported public import Records
@_exported public import Stores
