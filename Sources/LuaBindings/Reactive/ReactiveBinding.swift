/// The functions and things of reactive values; to add one, write it beside its thing and add it here.
enum ReactiveBinding {
  static let functions: [GlobalFunction] =
    BoundState.functions + BoundObservable.functions + BoundBindable.functions + BoundEffect.functions
    + BoundStorage.functions + BoundNamespace.functions + TransactionBinding.functions

  static let entries: [CatalogEntry] =
    BoundState.entries + BoundBinding.globalEntries + BoundBinding.entries + BoundEffect.entries
    + BoundStorage.entries + BoundEnvironment.globalEntries + BoundEnvironment.entries + BoundNamespace.entries
    + TransactionBinding.entries
}
