/// Numbers as people read them.
public enum Measure {
  /// Digits in groups of three: `886,323`.
  public static func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A number of things: `1 row`, `4,000 rows`.
  public static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
  }

  /// A time span with two digits that matter: `0.04 ms`, `6.1 ms`, `28 ms`, `2.8 s`.
  public static func duration(_ seconds: Double) -> String {
    let milliseconds = seconds * 1_000
    switch milliseconds {
    case ..<0.005: return "under 0.01 ms"
    case ..<0.95: return decimal(milliseconds, places: 2) + " ms"
    case ..<9.95: return decimal(milliseconds, places: 1) + " ms"
    case ..<999.5: return decimal(milliseconds, places: 0) + " ms"
    default: return decimal(seconds, places: 1) + " s"
    }
  }

  /// A size in bytes: `24 B`, `44 kB`, `86 MB`.
  public static func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var size = Double(count)
    var unit = 0
    while size >= 999.5, unit < units.count - 1 {
      size /= 1_000
      unit += 1
    }
    return decimal(size, places: unit > 0 && size < 9.95 ? 1 : 0) + " " + units[unit]
  }

  private static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if places == 0 { return String(scaled) }
    let fraction = String(scaled.magnitude % scale.magnitude)
    let sign = scaled < 0 ? "-" : ""
    return
      "\(sign)\(scaled.magnitude / scale.magnitude).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
  }
}
