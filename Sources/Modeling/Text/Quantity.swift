/// Formats numbers for people.
public enum Quantity {
  /// Digits in groups of three: `886,323`.
  public static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A count with its noun: `1 row`, `4,000 rows`.
  public static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
  }

  /// A short figure: `558k`, `1.2M`.
  public static func short(_ value: Double) -> String {
    switch value {
    case ..<1_000: String(Int(saturating: value))
    case ..<999_500: decimal(value / 1_000, places: value < 9_950 ? 1 : 0) + "k"
    case ..<999_500_000: decimal(value / 1_000_000, places: value < 9_950_000 ? 1 : 0) + "M"
    default: decimal(value / 1_000_000_000, places: 1) + "G"
    }
  }

  /// A size in bytes: `24 B`, `1.5 kB`, `86 MB`.
  public static func bytes(_ count: Int) -> String {
    let (size, unit) = scaled(count)
    return decimal(size, places: count >= 1_000 && size < 9.95 ? 1 : 0) + " " + unit
  }

  /// A size in bytes with a decimal place more: `24 B`, `16.5 kB`, `86.0 MB`.
  public static func fineBytes(_ count: Int) -> String {
    let (size, unit) = scaled(count)
    return decimal(size, places: count >= 1_000 ? 1 : 0) + " " + unit
  }

  private static func scaled(_ count: Int) -> (size: Double, unit: String) {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var size = Double(count)
    var unit = 0
    while size >= 999.5, unit < units.count - 1 {
      size /= 1_000
      unit += 1
    }
    return (size, units[unit])
  }

  /// A time span with its significant digits: `0.4 ms`, `28 ms`, `2.8 s`, `1:05`, `2:01:40`.
  public static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.000_005: "under 0.01 ms"
    case ..<0.000_95: decimal(seconds * 1_000, places: 2) + " ms"
    case ..<0.009_95: decimal(seconds * 1_000, places: 1) + " ms"
    case ..<0.999_5: decimal(seconds * 1_000, places: 0) + " ms"
    case ..<59.95: decimal(seconds, places: 1) + " s"
    default: clock(seconds)
    }
  }

  /// Minutes and seconds, with hours if there are any: `0:07`, `1:02:03`.
  public static func clock(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds.rounded())
    let hours = whole / 3_600
    let minutes = whole / 60 % 60
    let rest = whole % 60
    let text = (hours > 0 && minutes < 10 ? "0" : "") + "\(minutes):" + (rest < 10 ? "0" : "") + "\(rest)"
    return hours > 0 ? "\(hours):" + text : text
  }

  /// A number with this many significant digits: `2.8714`, `12346`, `1.23e-05`.
  public static func significant(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    var (power, size) = (0, abs(value))
    while size >= 10, power < 400 { (size, power) = (size / 10, power + 1) }
    while size < 1, power > -400 { (size, power) = (size * 10, power - 1) }
    if power >= 15 || power < -4 {
      let sign = value < 0 ? "-" : ""
      let exponent = (power < 0 ? "-" : "+") + (abs(power) < 10 ? "0" : "") + String(abs(power))
      return sign + trimmed(decimal(size, places: digits - 1)) + "e" + exponent
    }
    return trimmed(decimal(value, places: max(digits - 1 - power, 0)))
  }

  /// A number without trailing zeros.
  private static func trimmed(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = text
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A number with this many decimal places.
  public static func decimal(_ value: Double, places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    guard (value * Double(scale)).magnitude < 9e18 else { return "\(value)" }
    let scaled = Int((value * Double(scale)).rounded())
    if places == 0 { return String(scaled) }
    let fraction = String(scaled.magnitude % scale.magnitude)
    let padding = String(repeating: "0", count: places - fraction.count)
    return (scaled < 0 ? "-" : "") + "\(scaled.magnitude / scale.magnitude).\(padding)\(fraction)"
  }
}
