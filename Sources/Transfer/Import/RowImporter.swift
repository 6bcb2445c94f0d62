import Modeling
import SQLite
import SQLiteStorage
import Stores

/// Binds the fields of rows to the parameters of an INSERT, and of an UPDATE if rows may exist already.
///
/// Text is bound without a copy, in the source's memory: SQLite reads it before the source moves to the next row.
final class RowImporter {
  /// A field with its parameter.
  final class Field {
    /// The index of the field in a row.
    let index: Int
    let target: ImportColumn.Target
    let parser: AttributeTextParser
    let rule: ImportRule
    /// The reference of a to-one relationship's field; nil for attributes.
    let reference: ImportReference?
    /// The first parameter; a reference of several columns has several.
    let parameter: Int
    /// The layout's column, where that keeps dates as text.
    let dateText: Int?

    init(
      _ column: ImportColumn, _ parser: AttributeTextParser, _ rule: ImportRule, _ reference: ImportReference?,
      parameter: Int, dateText: Int?
    ) {
      index = column.field
      target = column.target
      self.parser = parser
      self.rule = rule
      self.reference = reference
      self.parameter = parameter
      self.dateText = dateText
    }
  }

  let store: any OpenedStore
  /// The store, if rows are written by statements of its own.
  private let file: SQLiteStore?
  let entity: Entity
  let source: any ImportSource
  let fields: [Field]
  private let insert: Statement?
  private let update: Statement?
  /// The field that identifies an existing row, and the UPDATE's parameter for it.
  let known: (field: Field, parameter: Int)?
  /// The field whose values other rows of the same file refer to, with the reference.
  let referred: (field: Field, reference: ImportReference)?
  var report = ImportReport()
  /// Where rows come from that the store may still refuse: their place, and their number.
  var recent = RecentRows<(place: TextPlace, row: Int)>()
  /// How many rows have been written or refused.
  var rowCount = 0

  init(
    _ store: any OpenedStore, _ entity: Entity, _ source: any ImportSource, _ columns: [ImportColumn], upsert: Int?
  ) throws {
    self.store = store
    self.entity = entity
    self.source = source
    let plan = try ImportPlan(store, entity, columns, upsert: upsert)
    // Rows that need bookkeeping are written one by one, as all other objects are.
    let file = (store as? SQLiteStore).flatMap { $0.writesRowByRow ? nil : $0 }
    self.file = file
    insert = try file?.connection.prepare(plan.insertText)
    update = try file.flatMap { file in try plan.updateText.map { try file.connection.prepare($0) } }
    let fields = try columns.enumerated().map { index, column in
      let parser = AttributeTextParser(plan.attributes[index])
      parser.nullTexts = column.nullTexts
      parser.notation = column.notation
      let reference = try plan.references[index].map { try ImportReference(store, entity, $0) }
      return Field(
        column, parser, ImportRule(plan.attributes[index], entity.name), reference, parameter: plan.parameters[index],
        dateText: plan.dateTexts[index])
    }
    self.fields = fields
    let toItself = fields.compactMap(\.reference).first(where: \.isToItself)
    referred = toItself.flatMap { reference in
      plan.field(ofReferred: reference).map { (fields[$0], reference) }
    }
    let finding = fields.first { field in upsert.map { field.target == .attribute($0) } ?? false }
    known = finding.map { ($0, plan.updateCount + 1) }
    guard let file, let insert else { return }
    for (parameter, column, value) in plan.defaults {
      try insert.bind(try file.stored(value, column, of: entity), at: parameter)
    }
  }

  deinit {
    // Their text may be in memory that is freed.
    insert?.clearBindings()
    update?.clearBindings()
  }

  /// Writes the source's current row.
  func write() throws {
    defer { rowCount += 1 }
    guard let file, let insert else { return try writeThroughStore() }
    if let update, let known {
      let missing = report.missingReferences
      for field in fields { _ = try bind(field, to: update, at: field.parameter) }
      if try !bind(known.field, to: update, at: known.parameter) {
        try step(update)
        if file.connection.lastChanges > 0 {
          report.updated += 1
          return
        }
      }
      report.missingReferences = missing
    }
    for field in fields { _ = try bind(field, to: insert, at: field.parameter) }
    try step(insert)
    report.inserted += 1
    if let referred { try remember(referred.field, for: referred.reference, key: file.connection.lastInsertedRowID) }
  }

  private func step(_ statement: Statement) throws {
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      if case .interrupted = error.fact { throw error }
      let named = file?.named(error, entity) { [self] column in value(ofColumn: column) } ?? error
      throw ImportError(fact: .store(named), place: source.place(ofField: 0))
    }
  }

  /// The current row's value for a column of the layout.
  private func value(ofColumn column: Int) -> Value? {
    let layout = store.layout(of: entity)
    let field = fields.first {
      guard case .attribute(let index) = $0.target else { return false }
      return layout.properties[index] == .column(column)
    }
    return field.flatMap { try? source.read($0.index, $0.parser).value }
  }

  // MARK: Fields

  /// Reads, checks and binds a field; returns whether it is nil.
  private func bind(_ field: Field, to statement: Statement, at parameter: Int) throws -> Bool {
    let typed: TypedField
    do {
      typed = try source.read(field.index, field.parser)
    } catch let error as ValueError {
      throw failure(.value(error.of(entity)), field)
    }
    if let violation = field.rule.violation(typed) { throw failure(.violation(violation), field) }
    if let reference = field.reference { return try bind(reference, field, typed, to: statement, at: parameter) }
    switch typed {
    case .null:
      try statement.bindNull(at: parameter)
      return true
    case .int(let number): try statement.bind(number, at: parameter)
    case .double(let number): try statement.bind(number, at: parameter)
    case .date(let date):
      guard let column = field.dateText else {
        try statement.bind(date.seconds, at: parameter)
        break
      }
      do throws(StoreError) {
        guard let file else { break }
        try statement.bind(try file.stored(.date(date), column, of: entity), at: parameter)
      } catch {
        throw failure(.store(error), field)
      }
    case .bool(let flag): try statement.bind(flag ? 1 : 0 as Int64, at: parameter)
    case .text(let bytes): try statement.bind(unowned: bytes, at: parameter)
    case .value(let value):
      try statement.bind(ValueCoding.stored(value), at: parameter)
      return value.isNull
    }
    return false
  }

  private func bind(
    _ reference: ImportReference, _ field: Field, _ typed: TypedField, to statement: Statement, at parameter: Int
  ) throws -> Bool {
    guard let key = try reference.key(for: typed) else {
      try checkMissing(reference, field, typed)
      for place in 0..<reference.width { try statement.bindNull(at: parameter + place) }
      return true
    }
    if reference.holdsKey {
      try statement.bind(key, at: parameter)
    } else {
      for (place, value) in try reference.values(to: key).enumerated() {
        try statement.bind(value, at: parameter + place)
      }
    }
    return false
  }

  /// Counts or rejects a value that no destination has.
  func checkMissing(_ reference: ImportReference, _ field: Field, _ typed: TypedField) throws {
    if case .null = typed { return }
    guard case .reference(_, _, .null) = field.target else {
      let (entity, property) = (reference.destination.name, reference.propertyName)
      throw failure(.noSuchObject(entity: entity, property: property, value: typed.value.displayText), field)
    }
    report.missingReferences += 1
  }

  func failure(_ fact: ImportError.Fact, _ field: Field) -> ImportError {
    ImportError(fact: fact, place: source.place(ofField: field.index), field: field.index)
  }

  /// Makes the row just written available to references of later rows.
  func remember(_ field: Field, for reference: ImportReference, key: Int64) throws {
    reference.remember(try source.read(field.index, field.parser), key: key)
  }
}
