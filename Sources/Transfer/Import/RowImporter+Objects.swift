import Modeling
import Stores

/// Imports into stores whose rows need bookkeeping.
extension RowImporter {
  /// Writes the source's current row as any other object is written.
  func writeThroughStore() throws {
    let layout = store.layout(of: entity)
    var changes: [(column: Int, value: Value)] = []
    var wanted: (index: Int, value: Value)?
    for field in fields {
      guard let (column, value) = try value(of: field, layout) else { continue }
      changes.append((column, value))
      if let known, known.field === field, case .attribute(let index) = field.target { wanted = (index, value) }
    }
    do {
      if let wanted, !wanted.value.isNull,
        let key = try store.key(of: entity, where: [wanted.index], equal: [wanted.value])
      {
        _ = try store.update(entity, key: key, changes)
        report.updated += 1
        return
      }
      var values = defaults(layout)
      for (column, value) in changes { values[column] = value }
      let key = try store.insert(entity, values)
      report.inserted += 1
      recent.note(key, (source.place(ofField: 0), rowCount + 1))
      if let referred { try remember(referred.field, for: referred.reference, key: key) }
    } catch let error as StoreError {
      throw located(error, atCurrentRow: true)
    }
  }

  /// A refusal with the place of its row, which may be an earlier one. An error that is not about a row stays as it is.
  func located(_ error: StoreError, atCurrentRow isOfCurrentRow: Bool) -> any Error {
    if let found = recent.place(of: error) {
      var located = ImportError(fact: .store(error), place: found.place)
      located.row = found.row
      return located
    }
    return isOfCurrentRow && error.isOfRow ? ImportError(fact: .store(error), place: source.place(ofField: 0)) : error
  }

  private func defaults(_ layout: EntityLayout) -> [Value] {
    var values = [Value](repeating: .null, count: layout.columns.count)
    for (property, place) in zip(entity.properties, layout.properties) {
      if let attribute = property.attribute, attribute.isWritable, case .column(let column) = place {
        values[column] = attribute.defaultValue
      }
    }
    return values
  }

  /// The column and checked value of a field.
  private func value(of field: Field, _ layout: EntityLayout) throws -> (column: Int, value: Value)? {
    let typed: TypedField
    do {
      typed = try source.read(field.index, field.parser)
    } catch let error as ValueError {
      throw failure(.value(error.of(entity)), field)
    }
    if let violation = field.rule.violation(typed) { throw failure(.violation(violation), field) }
    switch field.target {
    case .attribute(let index):
      guard case .column(let column) = layout.properties[index] else { return nil }
      return (column, typed.value)
    case .reference(let index, _, _):
      guard case .reference(let columns, _) = layout.properties[index], let column = columns.first,
        let reference = field.reference
      else { return nil }
      guard let key = try reference.key(for: typed) else {
        try checkMissing(reference, field, typed)
        return (column, .null)
      }
      return (column, reference.holdsKey ? .int(key) : try reference.values(to: key).first ?? .null)
    }
  }
}

extension StoreError {
  /// Whether it is about the values of a row, not about the store or the way to it.
  fileprivate var isOfRow: Bool {
    switch fact {
    case .interrupted, .closed, .busy, .full, .connectionLost, .connectionTimedOut, .notSerialized, .commitUnknown:
      false
    default: true
    }
  }
}
