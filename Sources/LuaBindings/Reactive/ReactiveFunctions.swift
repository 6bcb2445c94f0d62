/// The functions and members of reactive values; to add one, declare it with its subject and add it here.
enum ReactiveFunctions {
  static let functions: [GlobalFunction] =
    BoundState.functions + BoundObservable.functions + BoundDynamicProperty.functions + BoundBindable.functions
    + BoundEffect.functions
    + ValueWatch.functions
    + BoundStorage.functions + BoundEnvironment.functions + BoundNamespace.functions + TransactionFunctions.functions
}
