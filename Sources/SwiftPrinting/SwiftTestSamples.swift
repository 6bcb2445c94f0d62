public import Queries

/// Objects for a printed test: some match a predicate, some do not, and for some the store says neither.
public struct SwiftTestSamples {
  /// An object, and what Foundation answers for it.
  struct Sample {
    var object: any PredicateSubject
    var isMatch: Bool
    var isNeither: Bool
  }

  /// The most samples of each kind.
  private static let countOfEach = 3

  private(set) var samples: [Sample] = []

  /// Begins without objects.
  public init() {}

  /// Whether no further object is taken.
  public var isFull: Bool { samples.count == 3 * Self.countOfEach }

  /// Takes the object if there are not enough of its kind.
  public mutating func add(_ object: any PredicateSubject, isMatch: Bool, isNeither: Bool) {
    let known = samples.filter { $0.isMatch == isMatch && $0.isNeither == isNeither }
    if known.count < Self.countOfEach {
      samples.append(Sample(object: object, isMatch: isMatch, isNeither: isNeither))
    }
  }

  /// Those that match first.
  var ordered: [Sample] {
    samples.filter(\.isMatch) + samples.filter { !$0.isMatch && !$0.isNeither }
      + samples.filter { !$0.isMatch && $0.isNeither }
  }
}
