internal import Modeling

/// The order of operations: a row is inserted after those that it refers to, deleted after others have left it, and gets a
/// unique value after another row has lost it, as far as there is such an order.
struct OperationOrder {
  let operations: [RowOperation]
  private var inserted: [ObjectName: Int] = [:]
  /// The operations after which a row that is deleted is not referred to any more.
  private var leaving: [ObjectName: [(operation: Int, property: String)]] = [:]
  private var freeing: [UniqueValue: Int] = [:]

  init(_ operations: [RowOperation]) {
    self.operations = operations
    var deleted: Set<ObjectName> = []
    for (index, operation) in operations.enumerated() {
      switch operation.difference.kind {
      case .inserted: inserted[operation.name] = index
      case .deleted: deleted.insert(operation.name)
      default: break
      }
      for value in operation.uniqueValues(isNew: false) { freeing[value] = index }
    }
    for (index, operation) in operations.enumerated() {
      for (property, target) in operation.references(isNew: false) where deleted.contains(target) {
        leaving[target, default: []].append((index, property))
      }
    }
  }

  /// The operations by their indices.
  var indices: [Int] { operations.indices.inPostorder(predecessors) }

  /// The references of a row to rows that are inserted, by property.
  func newReferences(_ index: Int) -> [(property: String, operation: Int)] {
    operations[index].references(isNew: true).compactMap { reference in
      inserted[reference.target].map { (reference.property, $0) }
    }
  }

  /// The rows that refer to a row that is deleted, before they are changed.
  func leavers(_ index: Int) -> [(operation: Int, property: String)] {
    let operation = operations[index]
    guard operation.difference.kind == .deleted else { return [] }
    return (leaving[operation.name] ?? []).filter { $0.operation != index }
  }

  /// The rows that have a unique value that a row gets.
  func holders(_ index: Int) -> [(operation: Int, properties: [String])] {
    operations[index].uniqueValues(isNew: true).compactMap { value in
      freeing[value].flatMap { $0 == index ? nil : ($0, value.properties) }
    }
  }

  private func predecessors(_ index: Int) -> [Int] {
    newReferences(index).map(\.operation).filter { $0 != index } + leavers(index).map(\.operation)
      + holders(index).map(\.operation)
  }
}
