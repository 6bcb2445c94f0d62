/// The candidate that `name` probably means; nil if none is near enough to suggest.
///
///     nearestName(to: "magnitud", in: ["code", "magnitude"])              // magnitude: at most two letters differ
///     nearestName(to: "departure_delay", in: ["dep_delay", "dest"])       // dep_delay: they share a word
///     nearestName(to: "filter", in: ["fetch", "where"])                   // where: another word for it
///
/// Letters that differ only in case count as a tenth of an edit, transposed neighbours as one. Among equals, the
/// alphabetically first wins. O(candidates · length²).
public func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
  let target = Array(name.unicodeScalars.prefix(longestName + 1))
  guard target.count <= longestName else { return nil }
  let limit = mostEdits(target.count)
  var best: (distance: Int, name: String)?
  for candidate in candidates where abs(candidate.unicodeScalars.count - target.count) <= 2 {
    let distance = editDistance(target, Array(candidate.unicodeScalars))
    guard distance <= limit else { continue }
    if let known = best, (known.distance, known.name) <= (distance, candidate) { continue }
    best = (distance, candidate)
  }
  return best?.name ?? NameWords.related(to: name, in: candidates)
}

/// The maximum length in Unicode scalars: the time of a comparison grows with the product of the lengths.
private let longestName = 200

/// The maximum distance, in tenths of an edit. Names of two or three letters allow only one edit, otherwise every name
/// would be near.
private func mostEdits(_ length: Int) -> Int {
  switch length {
  case ...1: 5
  case 2...3: 10
  default: 25
  }
}

/// The optimal string alignment distance in tenths of an edit.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforePrevious: [Int] = []
  var previous = (0...right.count).map { $0 * 10 }
  for i in left.indices {
    var current = [(i + 1) * 10]
    for j in right.indices {
      var cost = min(previous[j] + substitution(left[i], right[j]), previous[j + 1] + 10, current[j] + 10)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, beforePrevious[j - 1] + 10) }
      current.append(cost)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[right.count]
}

private func substitution(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Int {
  if left == right { return 0 }
  return left.properties.lowercaseMapping == right.properties.lowercaseMapping ? 1 : 10
}
