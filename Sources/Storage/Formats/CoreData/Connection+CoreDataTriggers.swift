import SQLite

extension Connection {
  /// Adds the functions that triggers of Core Data stores call to tell of derived values; what they tell is found at
  /// the commit.
  func installCoreDataTriggerFunctions() {
    for name in CoreDataLayout.knownFunctions.sorted() {
      register(function: name, arguments: 5, deterministic: false, forSchema: true) { _, _, _ in }
    }
  }
}
