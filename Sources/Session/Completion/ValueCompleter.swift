internal import Glibc
package import LuaBindings
package import Modeling
package import ObjectGraph
package import Presentation
internal import Queries
internal import Stores

/// Completes attribute values with those in the store, the most frequent first.
///
/// Counting stops after 15 milliseconds, so that two presses of Tab are answered within 50: it covers all of a small store and a
/// sample of a large one. On a machine that is busy with other things the time is that of the processor.
package struct ValueCompleter {
  let engine: Engine
  let context: ObjectContext
  /// Returns whether the user has asked for something else.
  var shouldStop: () -> Bool = { false }
  /// The quote to open for a text.
  var quote: Character = "\""

  package init(
    engine: Engine, context: ObjectContext, shouldStop: @escaping () -> Bool = { false }, quote: Character = "\""
  ) {
    self.engine = engine
    self.context = context
    (self.shouldStop, self.quote) = (shouldStop, quote)
  }

  private static let time = 0.015
  /// The time that it may take on a busy machine.
  private static let longestTime = 0.3
  private static let mostValues = 50
  /// The number of rows for which there is more time, so that a small store is counted whole on a busy machine, too.
  private static let leastRows = 200
  private static let extraTime = 2.0

  /// Returns completions at the end of `text`, the beginning of a predicate of `entity`; nil if no value is expected.
  package func completions(_ text: String, in entity: Entity) -> Completions? {
    if let place = ValuePlace(before: text), let (owner, attribute) = Self.attribute(place.path, of: entity) {
      let found = values(of: attribute, in: owner, at: place)
      if place.quote != nil || !found.candidates.isEmpty { return found }
    }
    return ValuePlace.openingQuote(text) == nil ? nil : Completions(start: text.utf8.count)
  }

  /// The attribute that a key path leads to, and its entity.
  private static func attribute(_ path: String, of entity: Entity) -> (Entity, Attribute)? {
    guard let resolved = try? PropertyPath(dotted: path).resolve(in: entity), resolved.elements.isEmpty,
      let attribute = resolved.finalAttribute, !attribute.isTransient
    else { return nil }
    return (resolved.end, attribute)
  }

  /// Returns the most frequent values of an attribute that begin with the typed text.
  private func values(of attribute: Attribute, in owner: Entity, at place: ValuePlace) -> Completions {
    let isText = attribute.type.isTextual
    guard isText || (place.quote == nil && (attribute.type.isNumeric || attribute.type == .boolean)) else {
      return Completions(start: place.start)
    }
    let (counts, isWhole) = counts(of: attribute, request(for: attribute, of: owner, at: place))
    let texts = counts.map { (literal($0.key, open: place.quote), $0.value) }
    let fitting = isText ? texts : texts.filter { $0.0.hasPrefix(place.prefix) }
    let best = fitting.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.prefix(Self.mostValues)
    let candidates = best.map { Completions.Candidate($0.0, Quantity.grouped($0.1) + (isWhole ? "" : "+")) }
    return Completions(start: place.start, candidates: candidates, isWhole: isWhole)
  }

  private func request(for attribute: Attribute, of owner: Entity, at place: ValuePlace) -> FetchRequest {
    var request = FetchRequest(owner)
    let path = Expression.path(PropertyPath([attribute.name]))
    request.propertiesToFetch = [FetchedColumn(attribute.name, path)]
    request.resultType = .dictionaries
    // Scanning an index of the attribute could spend all the time on its first value.
    if place.prefix.isEmpty { request.propertiesToFetch += Self.otherColumns(than: attribute, of: owner) }
    if attribute.type.isTextual, !place.prefix.isEmpty {
      let prefix = Expression.constant(.string(place.prefix))
      request.predicate = .comparison(Comparison(path, .beginsWith, prefix, options: .caseInsensitive))
    }
    return request
  }

  /// Columns that force a scan of the table instead of an index.
  private static func otherColumns(than attribute: Attribute, of owner: Entity) -> [FetchedColumn] {
    owner.attributes.filter { $0.derivation == nil && !$0.isTransient && $0.name != attribute.name }.map {
      FetchedColumn($0.name, .path(PropertyPath([$0.name])))
    }
  }

  /// Returns how often each value occurs, as far as the time allows; empty if they cannot be read.
  private func counts(of attribute: Attribute, _ request: FetchRequest) -> (counts: [Value: Int], isWhole: Bool) {
    var counts: [Value: Int] = [:]
    let store = context.store
    let usual = store.isInterrupted
    let (deadline, worked) = (monotonicSeconds() + Self.longestTime, Self.processorSeconds + Self.time)
    // Behind a condition, the first rows may be far apart.
    let least = request.predicate == nil ? Self.leastRows : 0
    var row = 0
    store.isInterrupted = { [engine, shouldStop] in
      engine.lua.interruption == .interrupted || shouldStop()
        || row >= least && (Self.processorSeconds > worked || monotonicSeconds() > deadline)
        || monotonicSeconds() > deadline + Self.extraTime
    }
    defer { store.isInterrupted = usual }
    var isWhole = false
    do {
      let cursor = try store.dictionaries(request)
      defer { cursor.close() }
      isWhole = true
      while try cursor.step() {
        counts[cursor.value(0), default: 0] += 1
        row += 1
        if row & 63 == 0, store.isInterrupted() {
          isWhole = false
          break
        }
      }
    } catch {
      isWhole = engine.report(error).kind != "interrupted"
      if isWhole { counts = [:] }
    }
    if engine.lua.interruption == .interrupted { engine.lua.clearInterrupt() }
    counts[.null] = nil
    return (counts, isWhole)
  }

  /// The processor time of the program.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns a value as a predicate literal, without the opening quote if one is already typed.
  private func literal(_ value: Value, open: Character?) -> String {
    let text: String
    switch value {
    case .string(let string), .url(let string): text = string
    default: return value.displayText
    }
    let mark = open ?? quote
    var literal = open == nil ? String(mark) : ""
    for character in text {
      switch character {
      case "\\": literal += "\\\\"
      case mark: literal += "\\" + String(mark)
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case "\r": literal += "\\r"
      default: literal.append(character)
      }
    }
    return literal + String(mark)
  }
}
