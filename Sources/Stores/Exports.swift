// The errors of a store and where it keeps what are part of every function's face here: what imports Stores has them, too.
@_exported public import Layouts
@_exported public import StoreErrors
