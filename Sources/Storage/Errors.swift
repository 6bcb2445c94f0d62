// What goes wrong in a store is part of every function's face here: whoever imports Storage has its errors, too.
@_exported public import StoreErrors
