public import Modeling

/// What the values of one property are like over the objects of a request.
///
/// A number or a date is measured by itself, a text by its length, data by its size and a to-many by its members: spread and
/// quartiles of `measures` are those of that measure. Booleans, UUIDs and to-ones have no measure.
public struct PropertySummary: Sendable {
  /// What a property's measure is.
  public enum Measure: Sendable {
    case value
    case length
    case size
    case members
    case none
  }

  /// A range of the measure from `least` to `greatest`, and how many values lie in it.
  public struct Bucket: Hashable, Sendable {
    /// Where the range begins.
    public var least: Value
    /// Where it ends; the next range begins there, or after it where all are whole numbers.
    public var greatest: Value
    /// The number of values.
    public var count: Int
  }

  /// What is known of the measures.
  public struct Measures: Sendable {
    /// The least.
    public var least = Value.null
    /// The greatest.
    public var greatest = Value.null
    /// The arithmetic mean.
    public var mean = Value.null
    /// The values at a quarter, the half and three quarters of the ascending values: the least that so many do not exceed.
    public var quartiles: [Value] = []
    /// How many lie in each of some ranges of equal width.
    public var histogram: [Bucket] = []
  }

  /// The key path or expression, as it was asked for.
  public let name: String
  /// The type in the model's words: `Double`, `→ Quake`, `→→ Report`; empty for an expression.
  public let type: String
  /// What the measure is.
  public var measure = Measure.none
  /// The number of objects with a value; for a to-many, with members.
  public var count = 0
  /// The number of objects without.
  public var nulls = 0
  /// The number of different values; nil for data and to-manys, which are not compared.
  public var distinct: Int?
  /// Whether the number of different values, the quartiles and the histogram are estimated, because there are too many of them.
  public var isEstimated = false
  /// The first and the last value in their order; null where values have none.
  public var least = Value.null
  /// See `least`.
  public var greatest = Value.null
  /// What is known of the measures.
  public var measures = Measures()
  /// The most frequent values, equally frequent ones in their order; none where no value comes twice among many, or they are
  /// estimated.
  public var top: [(value: Value, count: Int)] = []

  /// The number of objects.
  public var total: Int { count + nulls }

  init(_ name: String, _ type: String) {
    self.name = name
    self.type = type
  }
}
