package import StoreErrors

extension Connection {
  /// Returns a database in memory with the rows of a scan in the table `parts`, in their order. Its columns are `c0`, `c1`, ... and
  /// keep values as they are.
  ///
  /// - Throws: StoreError; `.interrupted` as this connection is.
  package func gathering(_ parts: [ScannedRows], count: Int) throws(StoreError) -> Connection {
    let gathered = try Connection(":memory:", Options(isInterrupted: isInterrupted), name: path)
    // Its statements do not keep it: it goes with the last of them.
    gathered.forgetIdleStatements()
    let names = (0..<count).map { "c\($0)" }.joined(separator: ", ")
    try gathered.execute("CREATE TABLE parts (\(names)); BEGIN")
    let marks = [String](repeating: "?", count: count).joined(separator: ", ")
    let insert = try gathered.prepare("INSERT INTO parts VALUES (\(marks))")
    for part in parts {
      if isInterrupted() { throw StoreError(.interrupted, path: path) }
      try part.insert(insert)
    }
    try gathered.execute("COMMIT")
    return gathered
  }
}
