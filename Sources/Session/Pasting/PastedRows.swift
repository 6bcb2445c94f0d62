package import Modeling
package import ObjectGraph
internal import Queries

/// What rows of a text mean as objects of an entity: which are new, which change an object, and what is wrong with a cell.
///
/// Nothing is changed before `apply`.
package struct PastedRows {
  /// What is to be done with rows, as a person chooses it.
  package struct Choice {
    /// The property that each column goes to, by its index; nil for a column that is left out.
    package var places: [Int?]
    /// The attribute whose value tells which object a row is; nil if all rows are new.
    package var key: Int?
    /// Whether rows of objects that exist are left out.
    package var skipsExisting = false
    /// Whether rows with mistakes are left out.
    package var skipsMistakes = false

    package init(places: [Int?], key: Int?) { (self.places, self.key) = (places, key) }
  }

  /// What a row does.
  package enum Effect: Hashable {
    case new, update, unchanged, skipped
  }

  /// A cell of a column that goes to a property.
  package struct Cell {
    package var property: Int
    /// What was pasted.
    package var text: String
    /// The value that stands there now, where it is another one.
    package var former: Value?
    package var mistake: (any Error)?
    var value: Content = .value(.null)
  }

  /// What a cell sets.
  enum Content {
    case value(Value)
    case object(ManagedObject?)
  }

  package struct Row {
    /// Its number in the text, from 1, without the names.
    package var number: Int
    package var cells: [Cell]
    package var effect = Effect.new
    /// The object that it changes.
    package var object: ManagedObject?

    package var hasMistake: Bool { cells.contains { $0.mistake != nil } }
  }

  /// Why the object of a row is not known.
  package enum Mistake: Error {
    case sameKey(row: Int)
    case severalObjects(String)
    case noKey

    package var sentence: String {
      switch self {
      case .sameKey(let row): "row \(row) has the same value"
      case .severalObjects(let entity): "several \(entity) have this value"
      case .noKey: "this column says which object a row is, and it is empty"
      }
    }
  }

  private let entity: Entity
  package let choice: Choice
  package private(set) var rows: [Row]

  /// Reads the rows of a text and finds the objects that they change.
  ///
  /// - Throws: StoreError.
  package init(_ text: PastedText, _ entity: Entity, _ choice: Choice, in context: ObjectContext) throws {
    (self.entity, self.choice) = (entity, choice)
    var readers: [(column: Int, reader: PastedCellReader)] = []
    for (column, property) in choice.places.enumerated() where column < text.width {
      if let property { readers.append((column, PastedCellReader(entity, property, text.notation, context))) }
    }
    rows = try text.rows.enumerated().map { number, fields in
      Row(number: number + 1, cells: try readers.map { try $0.reader.cell(fields[$0.column]) })
    }
    try findObjects(in: context)
    for index in rows.indices { try rows[index].compare(choice) }
  }

  /// The number of rows with an effect, or of those with mistakes.
  package func count(of effect: Effect) -> Int { rows.count { $0.effect == effect && !$0.hasMistake } }
  package var mistakeCount: Int { rows.count(where: \.hasMistake) }

  /// Whether `apply` does something, and all that was asked for.
  package var canApply: Bool {
    (mistakeCount == 0 || choice.skipsMistakes) && rows.contains { $0.changes && !$0.hasMistake }
  }

  // MARK: The objects

  /// Finds the objects of the rows by their keys, many at once.
  private mutating func findObjects(in context: ObjectContext) throws {
    guard let key = choice.key, let place = rows.first?.cells.firstIndex(where: { $0.property == key }) else { return }
    var rowsByKey: [Value: Int] = [:]
    for index in rows.indices where rows[index].cells[place].mistake == nil {
      guard case .value(let value) = rows[index].cells[place].value, !value.isNull else {
        rows[index].cells[place].mistake = Mistake.noKey
        continue
      }
      if let first = rowsByKey[value] {
        rows[index].cells[place].mistake = Mistake.sameKey(row: rows[first].number)
      } else {
        rowsByKey[value] = index
      }
    }
    let name = entity.properties[key].name
    let values = rowsByKey.keys.sorted { $0.order($1) < 0 }
    for start in stride(from: 0, to: values.count, by: Self.batchSize) {
      var request = FetchRequest(entity)
      let batch = values[start..<min(start + Self.batchSize, values.count)].map { Expression.constant($0) }
      request.predicate = .comparison(Comparison(.path(PropertyPath([name])), .in, .aggregate(batch)))
      for object in try context.fetch(request).objectList() {
        guard let index = rowsByKey[try object.attribute(at: key)] else { continue }
        if rows[index].object != nil { rows[index].cells[place].mistake = Mistake.severalObjects(entity.name) }
        rows[index].object = object
      }
    }
  }

  /// The keys that are looked for at once.
  private static let batchSize = 500

  // MARK: The change

  /// Makes the new objects and changes the others, all or nothing; returns how many of each.
  ///
  /// - Throws: GraphError, StoreError, what hooks throw. Nothing is changed then.
  package func apply(in context: ObjectContext) throws -> (new: Int, updated: Int) {
    try context.undoingFailure {
      var (new, updated) = (0, 0)
      for row in rows where row.changes && !row.hasMistake {
        let object = try row.object ?? context.insert(entity)
        for cell in row.cells where row.object == nil || cell.former != nil {
          switch cell.value {
          case .value(let value): try object.setAttribute(at: cell.property, value)
          case .object(let other): try object.setRelated(at: cell.property, to: other)
          }
        }
        if row.object == nil { new += 1 } else { updated += 1 }
      }
      return (new, updated)
    }
  }
}

extension PastedRows.Row {
  fileprivate var changes: Bool { effect == .new || effect == .update }

  /// Finds what it changes of its object.
  fileprivate mutating func compare(_ choice: PastedRows.Choice) throws {
    guard let object else { return }
    guard !choice.skipsExisting else { return effect = .skipped }
    effect = .unchanged
    for index in cells.indices where cells[index].mistake == nil {
      let property = cells[index].property
      do { try object.checkWritable(at: property) } catch {
        cells[index].mistake = error
        continue
      }
      switch cells[index].value {
      case .value(let value):
        let former = try object.attribute(at: property)
        if former != value { cells[index].former = former }
      case .object(let other):
        let former = try object.related(at: property)
        if former != other { cells[index].former = former.map { .object($0.objectID) } ?? .null }
      }
      if cells[index].former != nil { effect = .update }
    }
  }
}
