/// Compares two texts as an operator with `options` does: negative, zero or positive.
///
///     compareText("é", "e\u{301}", [])                     // not 0: the bytes differ
///     compareText("é", "e\u{301}", .localeSensitive)       // 0
///     compareText("Äpfel", "Birne", .localeSensitive)      // negative; by bytes it would be positive
///
/// With `l`, letters decide before case and marks; see the table at `folded`.
public func compareText(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
  let options = options.applied
  if options.isEmpty { return compareBytes(left, right) }
  let order = compareBytes(folded(left, options), folded(right, options))
  guard order != 0, options.contains(.localeSensitive) else { return order }
  let letters = compareBytes(folded(left, .folding), folded(right, .folding))
  return letters != 0 ? letters : order
}
