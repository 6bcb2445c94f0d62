// The errors of a store, where it keeps what, and the changes of its commits are part of every function's face here: what imports
// Storage has them, too.
@_exported public import Layouts
@_exported public import Records
@_exported public import StoreErrors
