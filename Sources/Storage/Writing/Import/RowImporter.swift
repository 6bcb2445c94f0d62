internal import CSQLite
import Modeling

/// Writes the fields of rows into the parameters of an INSERT, and of an UPDATE where rows may be there already.
///
/// Text is bound where it stands in the source's memory: SQLite reads it before the next row is read.
final class RowImporter<Source: ImportSource> {
  /// A field on its way to its parameter.
  private struct Field {
    let column: ImportColumn
    let parser: AttributeTextParser
    let rule: ImportRule
    /// What a to-one's field leads to; nil for attributes.
    var reference: ImportReference?
    /// The first parameter; a reference of several columns takes several.
    let parameter: Int
  }

  private let store: SQLiteStore
  private let entity: Entity
  private let source: Source
  private var fields: [Field] = []
  private let insert: Statement
  private let update: Statement?
  /// Where the value stands by which a row is known to be there, and the UPDATE's parameter for it.
  private var known: (field: Int, parameter: Int)?
  /// The field whose values other rows of the same file refer to.
  private var referred: (field: Int, reference: Int)?
  var report = ImportReport()

  init(_ store: SQLiteStore, _ entity: Entity, _ source: Source, _ columns: [ImportColumn], upsert: Int?) throws {
    self.store = store
    self.entity = entity
    self.source = source
    let plan = try ImportPlan(store, entity, columns, upsert: upsert)
    insert = try store.connection.prepare(plan.insertText)
    update = try plan.updateText.map { try store.connection.prepare($0) }
    for (index, column) in columns.enumerated() {
      let attribute = plan.attributes[index]
      let parser = AttributeTextParser(attribute)
      parser.nullTexts = column.nullTexts
      let reference = try plan.references[index].map { try ImportReference(store, entity, $0) }
      if reference?.isToItself == true { referred = plan.field(ofReferred: reference).map { ($0, index) } }
      fields.append(
        Field(
          column: column, parser: parser, rule: ImportRule(attribute, entity.name), reference: reference,
          parameter: plan.parameters[index]))
    }
    for (parameter, value) in plan.defaults { try insert.bind(ValueCoding.stored(value), at: parameter) }
    if let upsert, let field = columns.firstIndex(where: { $0.target == .attribute(upsert) }) {
      known = (field, plan.updateCount + 1)
    }
  }

  deinit {
    // Their text may stand in memory that is gone.
    insert.clearBindings()
    update?.clearBindings()
  }

  /// Writes the row that the source stands at.
  func write() throws {
    if let update, let known {
      let missing = report.missingReferences
      let isNull = try bind(to: update, known: known)
      if !isNull {
        try step(update)
        if sqlite3_changes64(store.connection.handle) > 0 {
          report.updated += 1
          return
        }
      }
      report.missingReferences = missing
    }
    for index in fields.indices { _ = try bind(index, to: insert, at: fields[index].parameter) }
    try step(insert)
    report.inserted += 1
    if let referred { try remember(referred) }
  }

  /// Binds the row to the UPDATE; true when it has no value to be found by.
  private func bind(to update: Statement, known: (field: Int, parameter: Int)) throws -> Bool {
    for index in fields.indices { _ = try bind(index, to: update, at: fields[index].parameter) }
    return try bind(known.field, to: update, at: known.parameter)
  }

  private func step(_ statement: Statement) throws {
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      if case .interrupted = error.fact { throw error }
      let named = store.named(error, entity) { [self] column in value(ofColumn: column) }
      throw ImportError(fact: .store(named), place: source.place(ofField: 0))
    }
  }

  /// The value that the current row has for a column of the layout.
  private func value(ofColumn column: Int) -> Value? {
    let layout = store.layout(of: entity)
    let field = fields.first {
      guard case .attribute(let index) = $0.column.target else { return false }
      return layout.properties[index] == .column(column)
    }
    return field.flatMap { try? source.read($0.column.field, $0.parser).value }
  }

  // MARK: Fields

  /// Reads, checks and binds a field; true when it is nothing.
  private func bind(_ index: Int, to statement: Statement, at parameter: Int) throws -> Bool {
    let field = fields[index].column.field
    let typed: TypedField
    do {
      typed = try source.read(field, fields[index].parser)
    } catch let error as ValueError {
      throw ImportError(fact: .value(error.of(entity)), place: source.place(ofField: field), field: field)
    }
    if let violation = fields[index].rule.violation(typed) {
      throw ImportError(fact: .violation(violation), place: source.place(ofField: field), field: field)
    }
    if fields[index].reference != nil { return try bindReference(index, typed, to: statement, at: parameter) }
    return try bind(typed, to: statement, at: parameter)
  }

  private func bind(_ typed: TypedField, to statement: Statement, at parameter: Int) throws -> Bool {
    switch typed {
    case .null:
      try statement.bindNull(at: parameter)
      return true
    case .int(let number): try statement.bind(number, at: parameter)
    case .double(let number): try statement.bind(number, at: parameter)
    case .date(let date): try statement.bind(date.seconds, at: parameter)
    case .bool(let flag): try statement.bind(flag ? 1 : 0 as Int64, at: parameter)
    case .text(let bytes): try statement.bind(unowned: bytes, at: parameter)
    case .value(let value):
      try statement.bind(ValueCoding.stored(value), at: parameter)
      return value.isNull
    }
    return false
  }

  private func bindReference(
    _ index: Int, _ typed: TypedField, to statement: Statement, at parameter: Int
  ) throws -> Bool {
    guard let reference = fields[index].reference else { return true }
    let values = try reference.values(for: typed)
    var isNothing = false
    if case .null = typed { isNothing = true }
    if values == nil, !isNothing {
      let column = fields[index].column
      guard case .reference(_, _, .null) = column.target else {
        let fact = ImportError.Fact.noSuchObject(
          entity: reference.destination.name, property: reference.propertyName, value: typed.value.displayText)
        throw ImportError(fact: fact, place: source.place(ofField: column.field), field: column.field)
      }
      report.missingReferences += 1
    }
    for place in 0..<reference.width { try statement.bind(values?[place] ?? .null, at: parameter + place) }
    return values == nil
  }

  /// Lets later rows refer to the one just written.
  private func remember(_ referred: (field: Int, reference: Int)) throws {
    let field = fields[referred.field]
    let typed = try source.read(field.column.field, field.parser)
    fields[referred.reference].reference?.remember(typed, key: store.connection.lastInsertedRowID)
  }
}
