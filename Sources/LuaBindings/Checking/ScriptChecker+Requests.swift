internal import Modeling
internal import Queries
package import SourceChecking
internal import SwiftReading

// The requests that a script makes, as far as they are known without running it.
extension ScriptChecker {
  /// The requests of the script with an index whose objects a store can be asked how it would find.
  package func requests(_ index: Int) -> [SourceRequest] {
    guard let (reading, source) = reading(index) else { return [] }
    let bytes = Array(String(decoding: source, as: UTF8.self).utf8)
    return reading.chains.compactMap { chain in
      var reader = ChainReader(chain, bytes)
      return reader.request()
    }
  }
}

/// Reads the calls of a chain into a request.
private struct ChainReader {
  private let chain: ScriptReading.Chain
  private let bytes: [UInt8]
  private var found: SourceRequest
  /// The number of placeholders so far.
  private var placeholders = 0

  init(_ chain: ScriptReading.Chain, _ bytes: [UInt8]) {
    (self.chain, self.bytes) = (chain, bytes)
    found = SourceRequest(FetchRequest(chain.entity))
  }

  /// The request; nil where a part of it is not known, or wrong.
  mutating func request() -> SourceRequest? {
    for call in chain.calls { guard read(call) else { return nil } }
    // What keeps a request may narrow it before anything is sorted.
    if chain.isKept { found.order = nil }
    guard found.predicate != nil || found.order != nil,
      (try? found.request.predicate?.check(in: chain.entity)) != nil || found.request.predicate == nil
    else { return nil }
    return found
  }

  /// Reads what a call adds; false where that is not known.
  private mutating func read(_ call: ScriptReading.Call) -> Bool {
    switch call.name {
    case "where": return take(predicate: call.arguments)
    case "count", "exists":
      found.order = nil
      return call.arguments.isEmpty || take(predicate: call.arguments)
    case "first":
      found.request.fetchLimit = 1
      return call.arguments.isEmpty || take(predicate: call.arguments)
    case "sorted": return take(order: call.arguments)
    case "limit":
      found.request.fetchLimit = 1
      return true
    case "with", "bind", "delete", "update", "groupBy": return false
    case "FetchRequest", "SectionedFetchRequest":
      let fields = call.arguments.first?.fields ?? [:]
      guard Set(fields.keys).isSubset(of: ["entity", "predicate", "sortDescriptors"]) else { return false }
      if let condition = fields["predicate"], !take(predicate: [condition]) { return false }
      return fields["sortDescriptors"].map { take(order: [$0]) } ?? true
    default: return true
    }
  }

  private mutating func take(predicate given: [ScriptReading.Value]) -> Bool {
    let arguments = given.first.map { $0.items.isEmpty ? given : $0.items } ?? []
    guard let literal = arguments.first?.literal, let text = LiteralText(literal, in: bytes),
      !SwiftOpening.isSource(text.text), !text.text.contains("%K")
    else { return false }
    let values = PlaceholderValues(text.text, behind: placeholders).values
    placeholders += values.count
    guard let predicate = try? Predicate.parse(text.text, arguments: values) else { return false }
    found.request.predicate = found.request.predicate.map { $0 & predicate } ?? predicate
    found.predicate = text.range(of: 0..<text.text.utf8.count)
    return true
  }

  private mutating func take(order given: [ScriptReading.Value]) -> Bool {
    let values = given.flatMap { $0.items.isEmpty ? [$0] : $0.items }
    let texts = values.compactMap { value in value.literal.flatMap { LiteralText($0, in: bytes) } }
    let orders = texts.compactMap { try? SortDescriptorFunctions.parse($0.text) }
    guard let first = texts.first, orders.count == values.count,
      orders.allSatisfy({ (try? $0.check(in: chain.entity)) != nil })
    else { return false }
    found.request.sortDescriptors = orders
    found.order = first.range(of: 0..<first.text.utf8.count)
    return true
  }
}
