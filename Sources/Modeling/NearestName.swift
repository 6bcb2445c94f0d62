/// The name in `candidates` that is nearest to `name` by edit distance, however far; nil without candidates, and for
/// what is too long to be a misspelt name.
///
/// Letters that differ in case alone count as a tenth of an edit, transposed neighbours as one. Ties go to the
/// alphabetically first. O(candidates · length²).
public func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
  let target = Array(name.unicodeScalars.prefix(longestName + 1))
  guard target.count <= longestName else { return nil }
  var best: (distance: Int, name: String)?
  for candidate in candidates {
    let distance = editDistance(target, Array(candidate.unicodeScalars))
    if let known = best, (known.distance, known.name) <= (distance, candidate) { continue }
    best = (distance, candidate)
  }
  return best?.name
}

/// In Unicode scalars; the time that a comparison takes grows with the product of the lengths.
private let longestName = 200

/// Optimal string alignment distance in tenths of an edit.
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
