import Layouts
import Modeling
import Postgres

/// The common shape of writes that one statement can do together: the entity, and the columns that they set.
final class WriteShape {
  enum Kind {
    case insert
    case update
  }

  /// A column that is written.
  struct Column {
    let name: String
    let form: ColumnForm
    let source: Source
  }

  /// The source of a column's value.
  enum Source {
    /// The row's key.
    case key
    /// The value at an index in the values of a write.
    case value(Int)
    /// The same in all rows.
    case text(String)
  }

  let kind: Kind
  let entity: Entity
  let layout: EntityLayout
  let columns: [Column]
  /// The columns of the key, by which a row is found that is updated.
  let keys: [(name: String, form: ColumnForm)]
  /// For an update, the columns of the layout that it sets.
  let changed: [Int]
  /// Whether a column is part of a unique constraint.
  let isUnique: Bool
  /// Whether the table takes rows by COPY.
  let takesCopies: Bool

  init(
    _ kind: Kind, _ entity: Entity, _ layout: EntityLayout, _ columns: [Column], changed: [Int],
    _ tables: PostgresTables
  ) {
    (self.kind, self.entity, self.layout, self.columns, self.changed) = (kind, entity, layout, columns, changed)
    keys = layout.key.columns.map { ($0, tables.form(layout.table, $0)) }
    let table = tables[layout.table]
    let names = Set(columns.map(\.name))
    isUnique = table.uniques.values.contains { !names.isDisjoint(with: $0) }
    takesCopies = table.takesCopies
  }

  /// The value that a write puts into a column, for messages.
  func value(of name: String, in values: [Value]) -> Value? {
    guard let column = columns.first(where: { $0.name == name }), case .value(let place) = column.source else {
      return nil
    }
    return values[place]
  }
}

/// The shapes of an entity's writes so far.
final class WriteShapes {
  private let entity: Entity
  private let layout: EntityLayout
  private let forms: [ColumnForm]
  private let keyForm: ColumnForm
  private let tables: PostgresTables
  private var known: [Choice: WriteShape] = [:]
  private var last: (choice: Choice, shape: WriteShape)?

  private struct Choice: Hashable {
    let isInsert: Bool
    /// Whether the write has an explicit key besides the layout's columns.
    let withKey: Bool
    let columns: [Int]
  }

  /// Whether every insert has the same columns: neither defaults of the store stand for nulls, nor is a column left out.
  private let insertColumns: [Int]
  private let defaults: [Int]

  init(_ entity: Entity, _ layout: EntityLayout, _ tables: PostgresTables, writesDerived: Bool) {
    (self.entity, self.layout, self.tables) = (entity, layout, tables)
    forms = layout.columns.map { tables.form(layout.table, $0.name) }
    keyForm = layout.key.columns.first.map { tables.form(layout.table, $0) } ?? ColumnForm(own: .integer64)
    insertColumns = layout.columns.indices.filter { layout.columns[$0].isWritable || writesDerived }
    defaults = insertColumns.filter { layout.columns[$0].hasStoreDefault }
  }

  /// The shape of an insert of values, one for each column of the layout.
  func insert(_ values: [Value], withKey: Bool) -> WriteShape {
    var columns = insertColumns
    if defaults.contains(where: { values[$0].isNull }) {
      columns.removeAll { layout.columns[$0].hasStoreDefault && values[$0].isNull }
    }
    return shape(Choice(isInsert: true, withKey: withKey, columns: columns))
  }

  /// The shape of an update of columns of the layout.
  func update(_ columns: [Int]) -> WriteShape { shape(Choice(isInsert: false, withKey: false, columns: columns)) }

  private func shape(_ choice: Choice) -> WriteShape {
    if let last, last.choice == choice { return last.shape }
    let shape = known[choice] ?? make(choice)
    known[choice] = shape
    last = (choice, shape)
    return shape
  }

  private func make(_ choice: Choice) -> WriteShape {
    var columns: [WriteShape.Column] = []
    guard choice.isInsert else {
      for (place, index) in choice.columns.enumerated() {
        columns.append(.init(name: layout.columns[index].name, form: forms[index], source: .value(place)))
      }
      return WriteShape(.update, entity, layout, columns, changed: choice.columns, tables)
    }
    let keyName = choice.withKey ? layout.key.integerName : nil
    if let keyName { columns.append(.init(name: keyName, form: keyForm, source: .key)) }
    // A foreign key's column may occur twice, as an attribute and as a reference.
    for index in choice.columns where !columns.contains(where: { $0.name == layout.columns[index].name }) {
      columns.append(.init(name: layout.columns[index].name, form: forms[index], source: .value(index)))
    }
    if let (name, value) = layout.discriminator, case .string(let text) = value {
      columns.append(.init(name: name, form: tables.form(layout.table, name), source: .text(text)))
    }
    return WriteShape(.insert, entity, layout, columns, changed: [], tables)
  }
}
