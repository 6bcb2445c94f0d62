extension Value {
  /// Compares the value with a bound of the same kind; negative, zero or positive, nil if they cannot be compared.
  func order(to bound: Value) -> Int? {
    switch (self, bound) {
    case (.int(let left), .int(let right)): Self.compare(left, right)
    case (.double(let left), .double(let right)): Self.compare(left, right)
    case (.decimal(let left), .decimal(let right)): Self.compare(left, right)
    case (.date(let left), .date(let right)): Self.compare(left, right)
    default: nil
    }
  }

  private static func compare<T: Comparable>(_ left: T, _ right: T) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }
}
