internal import Modeling
internal import Queries

/// Joins the names and requests that the two branches of an `if` have made.
///
/// Predicates that differ become one with the condition in it; so do requests that differ in their predicates alone. Any
/// other difference between requests is a mistake.
struct BranchJoint {
  let place: Range<Int>
  /// The condition of the `if`; it is only asked where the branches differ.
  var ask: (inout SourceReader, [SourcePredicate]) -> Predicate? = { _, _ in nil }
  private var known: Predicate?
  private var isUnknown = false
  private var isRefused = false

  init(place: Range<Int>) { self.place = place }

  mutating func join(_ one: SourceReader, _ other: SourceReader, into reader: inout SourceReader) {
    for name in Set(one.constants.names).union(other.constants.names).sorted() {
      reader.constants[name] = join(one.constants[name], other.constants[name], name, &reader)
    }
    reader.predicate = join(one.predicate, other.predicate, &reader)
    reader.declaredPredicate = join(one.declaredPredicate, other.declaredPredicate, &reader)
    reader.request = join(one.request, other.request, "the request", &reader)
    reader.declaredRequest = join(one.declaredRequest, other.declaredRequest, "the request", &reader)
    for index in one.properties.indices where index < other.properties.count {
      let (left, right) = (one.properties[index], other.properties[index])
      if index >= reader.properties.count { reader.properties.append(left) }
      if let joined = join(left.request, right.request, left.name, &reader) {
        reader.properties[index].request = joined
      }
    }
    if one.properties.count != other.properties.count {
      refuse("the request", &reader)
    }
    reader.requestObjects = one.requestObjects.union(other.requestObjects)
    let added = [one, other].flatMap { $0.lonePredicates.dropFirst(reader.lonePredicates.count) }
    reader.lonePredicates += added.prefix(1)
  }

  // MARK: Predicates

  private mutating func condition(_ predicates: [SourcePredicate], _ reader: inout SourceReader) -> Predicate? {
    if known == nil, !isUnknown {
      known = ask(&reader, predicates)
      isUnknown = known == nil
    }
    return known
  }

  private mutating func choose(
    _ one: SourcePredicate?, _ other: SourcePredicate?, _ reader: inout SourceReader
  ) -> SourcePredicate? {
    guard let condition = condition([one, other].compactMap(\.self), &reader) else { return one ?? other }
    return reader.chosen(condition, one, other)
  }

  /// A predicate that only one branch has is the value of an `if` in which the other has none.
  private mutating func join(
    _ one: SourcePredicate?, _ other: SourcePredicate?, _ reader: inout SourceReader
  ) -> SourcePredicate? {
    if one?.predicate == other?.predicate { return one }
    return choose(one, other, &reader)
  }

  private mutating func join(
    _ one: FetchRequest?, _ other: FetchRequest?, _ name: String, _ reader: inout SourceReader
  ) -> FetchRequest? {
    if one == other { return one }
    guard let one, let other else {
      if one != nil, other != nil { refuse(name, &reader) }
      return one ?? other
    }
    var (left, right) = (one, other)
    (left.predicate, right.predicate) = (nil, nil)
    guard left == right else {
      refuse(name, &reader)
      return one
    }
    left.predicate =
      choose(
        one.predicate.map { SourcePredicate(predicate: $0) }, other.predicate.map { SourcePredicate(predicate: $0) },
        &reader)?.predicate
    return left
  }

  /// Reports a difference, once.
  private mutating func refuse(_ name: String, _ reader: inout SourceReader) {
    if !isRefused { reader.issues.report(.dependsOnCondition(name), at: place) }
    isRefused = true
  }

  // MARK: Names

  private mutating func join(
    _ one: SourceConstants.Constant?, _ other: SourceConstants.Constant?, _ name: String, _ reader: inout SourceReader
  ) -> SourceConstants.Constant? {
    switch (one, other) {
    case (.predicate(let left), .predicate(let right)): return join(left, right, &reader).map { .predicate($0) }
    case (.predicate(let left), .value(.null)): return choose(left, nil, &reader).map { .predicate($0) }
    case (.value(.null), .predicate(let right)): return choose(nil, right, &reader).map { .predicate($0) }
    case (.request(let left), .request(let right)): return join(left, right, name, &reader).map { .request($0) }
    case (.predicates(let left), .predicates(let right)): return .predicates(join(left, right, &reader))
    case (.value(let left), .value(let right)): return left == right ? one : nil
    case (.sortKeys(let left), .sortKeys(let right)):
      return left.map(\.range) == right.map(\.range) ? one : nil
    case (.transaction(let left), .transaction(let right)): return left == right ? one : nil
    case (.some(let left), .some) where !left.isOfRequests: return one
    default: return nil
    }
  }

  /// What a branch adds to a list of predicates is in it on the condition of the branch.
  private mutating func join(
    _ one: [SourcePredicate], _ other: [SourcePredicate], _ reader: inout SourceReader
  ) -> [SourcePredicate] {
    let common = zip(one, other).prefix { $0.predicate == $1.predicate && $0.condition == $1.condition }.count
    let (mine, others) = (one.dropFirst(common), other.dropFirst(common))
    guard !mine.isEmpty || !others.isEmpty else { return one }
    guard let condition = condition(Array(mine + others), &reader) else { return one }
    func limited(_ found: SourcePredicate, to condition: Predicate) -> SourcePredicate {
      var found = found
      found.condition = found.condition.map { condition & $0 } ?? condition
      return found
    }
    return one.prefix(common) + mine.map { limited($0, to: condition) }
      + others.map { limited($0, to: condition.opposite) }
  }
}
