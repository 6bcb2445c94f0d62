public import Modeling
import SQLite

extension SQLiteStore {
  /// Runs a user's SQL: all statements of the text. Returns the rows of the last one.
  ///
  /// Each statement takes as many arguments as it has parameters, in order. The statements run in one transaction,
  /// unless they begin their own. Columns that come directly from an attribute have its type.
  public func sql(_ text: String, _ arguments: [Value] = []) throws -> ValueCursor {
    var script = try UserScript(text, arguments, path)
    var ownsTransaction = false
    do {
      while let statement = try script.next(connection) {
        if UserScript.controlsTransactions(statement) {
          transactions.undoneCount += 1
          if ownsTransaction { try endTransaction(commit: true) }
          ownsTransaction = false
          try control(statement)
          continue
        }
        if UserScript.standsAlone(statement) {
          // Changing the journal mode requires exclusive access to the file.
          log?.wait()
        } else if !statement.isReadOnly {
          // SQL could switch off what protects a store in memory.
          if isReadOnly { throw readOnlyError }
          if !connection.isInTransaction {
            try beginTransaction()
            ownsTransaction = true
          }
        }
        if !connection.isInTransaction { recorder.forget() }
        if !statement.isReadOnly { commits?.answersAreLive() }
        // In a transaction that the user began, each statement records its own changes.
        let recordsAlone = !statement.isReadOnly && transactions.depth == 0 && connection.isInTransaction
        if recordsAlone { beginRecording(continuing: true) }
        guard script.isAtEnd else {
          while try statement.step() {}
          if recordsAlone { try endRecording() }
          continue
        }
        let shapes = shapes(of: statement)
        if statement.isReadOnly, !ownsTransaction { return try reading(statement, shapes) }
        let rows = try collected(statement, shapes)
        if recordsAlone { try endRecording() }
        if ownsTransaction { try endTransaction(commit: true) }
        return ValueCursor(rows: rows, columns: shapes.map(\.name))
      }
      try script.checkArguments(path)
      if ownsTransaction { try endTransaction(commit: true) }
      return ValueCursor(rows: [], columns: [])
    } catch {
      if ownsTransaction { try? endTransaction(commit: false) }
      throw error
    }
  }

  /// Runs BEGIN, COMMIT and the other transaction statements; records changes before they are committed.
  private func control(_ statement: Statement) throws {
    let wasInTransaction = connection.isInTransaction
    if !wasInTransaction { recorder.forget() }
    let (keyword, name) = (UserScript.keyword(statement), UserScript.lastWord(statement))
    let ends = ["COMMIT", "END"].contains(keyword) || (keyword == "RELEASE" && name == transactions.outerSavepoint)
    if ends {
      try committing { while try statement.step() {} }
      commits?.tell()
    } else {
      while try statement.step() {}
    }
    if !connection.isInTransaction { format.transactionEnded() }
    guard !wasInTransaction, connection.isInTransaction else { return }
    commits?.transactionBegan()
    transactions.outerSavepoint = keyword == "SAVEPOINT" ? name : nil
  }

  /// Returns a cursor over the running statement. The first step is taken at once, so that BEGIN and PRAGMA run even if
  /// their rows are never read.
  private func reading(_ statement: Statement, _ shapes: [ValueShape]) throws -> ValueCursor {
    guard try statement.step() else { return ValueCursor(rows: [], columns: shapes.map(\.name)) }
    return StatementValueCursor(statement, shapes, isWaiting: true)
  }

  private func collected(_ statement: Statement, _ shapes: [ValueShape]) throws -> [[Value]] {
    let cursor = StatementValueCursor(statement, shapes)
    var rows: [[Value]] = []
    while try cursor.step() { rows.append(shapes.indices.map(cursor.value)) }
    return rows
  }

  /// The columns of a statement, with the types of the attributes from which they come.
  private func shapes(of statement: Statement) -> [ValueShape] {
    let columnTypes = statement.columnCount == 0 ? [:] : self.columnTypes
    return (0..<statement.columnCount).map { column in
      let type: AttributeType
      if let origin = statement.origin(ofColumn: column) {
        type = columnTypes[ColumnName(table: origin.table, column: origin.column)] ?? .any
      } else {
        type = .any
      }
      return ValueShape(statement.columnName(column), type)
    }
  }

  private struct ColumnName: Hashable {
    var table: String
    var column: String
  }

  private var columnTypes: [ColumnName: AttributeType] {
    var types: [ColumnName: AttributeType] = [:]
    for entity in model.entities {
      let layout = layout(of: entity)
      for column in layout.columns { types[ColumnName(table: layout.table, column: column.name)] = column.type }
    }
    return types
  }
}

/// The statements of a user's text, with their arguments.
private struct UserScript {
  private var script: SQLScript
  private var arguments: ArraySlice<Value>
  private let text: String

  init(_ text: String, _ arguments: [Value], _ path: String) throws(StoreError) {
    self.text = text
    if let offset = SQLScript.nullByte(in: text) {
      let message = "a null character, which no statement can hold; give such values as arguments"
      throw StoreError(.sql(message: message, statement: text, offset: offset), path: path)
    }
    script = SQLScript(text)
    self.arguments = arguments[...]
  }

  /// Whether only white space and comments are left.
  var isAtEnd: Bool { script.isAtEnd }

  /// Returns the next statement with its values bound; nil at the end.
  mutating func next(_ connection: Connection) throws -> Statement? {
    while !isAtEnd {
      if connection.isInterrupted() { throw StoreError(.interrupted, path: connection.path) }
      let statement = try Statement(connection, &script, isForeign: true)
      if statement.isEmpty { continue }
      try bind(statement, connection.path)
      return statement
    }
    return nil
  }

  private mutating func bind(_ statement: Statement, _ path: String) throws {
    let count = statement.parameterCount
    guard arguments.count >= count else { throw wrongCount(path) }
    for index in 0..<count {
      try statement.bind(ValueCoding.stored(arguments.removeFirst()), at: index + 1)
    }
    if isAtEnd { try checkArguments(path) }
  }

  /// Throws unless all arguments were used.
  func checkArguments(_ path: String) throws {
    if !arguments.isEmpty { throw wrongCount(path) }
  }

  private func wrongCount(_ path: String) -> StoreError {
    let message = arguments.isEmpty ? "fewer arguments than parameters" : "more arguments than parameters"
    return StoreError(.sql(message: message, statement: text, offset: nil), path: path)
  }

  /// Whether the statement is BEGIN, COMMIT or another transaction statement.
  static func controlsTransactions(_ statement: Statement) -> Bool {
    ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(keyword(statement))
  }

  /// Whether SQLite refuses the statement within a transaction, or it does not concern the data.
  static func standsAlone(_ statement: Statement) -> Bool {
    ["VACUUM", "ATTACH", "DETACH", "PRAGMA"].contains(keyword(statement))
  }

  /// The first word of a statement, after any comments.
  static func keyword(_ statement: Statement) -> String { bare(statement).prefix { $0.isLetter }.uppercased() }

  /// The last word of a statement without quotes, in SQLite's case folding: the name of a savepoint.
  static func lastWord(_ statement: Statement) -> String? {
    let words = bare(statement).prefix { $0 != ";" }.split { $0.isWhitespace || "\"'`[]".contains($0) }
    return words.last.map { asciiLowercased(String($0)) }
  }

  /// A statement without leading comments and white space.
  private static func bare(_ statement: Statement) -> Substring {
    var text = Substring(statement.sql)
    while true {
      text = text.drop { $0.isWhitespace || $0 == ";" }
      if text.hasPrefix("--") {
        text = text.drop { !$0.isNewline }
      } else if text.hasPrefix("/*"), let end = text.firstRange(of: "*/") {
        text = text[end.upperBound...]
      } else {
        return text
      }
    }
  }
}
