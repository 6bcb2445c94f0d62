internal import Modeling

/// Dates as text and in parts, until Modeling has them.
enum Dates {
  /// Seconds from 1970 to Apple's reference date, 2001-01-01T00:00:00Z.
  static let referenceDate = 978_307_200.0

  static func parse(_ text: String) -> Timestamp? {
    let parts = text.utf8.split(omittingEmptySubsequences: true) { "-:TtZz +".utf8.contains($0) }
    let numbers = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == parts.count, (3...8).contains(parts.count), numbers.count != 4 else { return nil }
    let (year, month, day) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    var seconds = Double(daysSince1970(year, month, day)) * 86400
    for (index, unit) in [3600.0, 60, 1].enumerated() where index + 3 < numbers.count {
      seconds += numbers[index + 3] * unit
    }
    if numbers.count > 6 {
      let sign: Double = text.utf8.dropFirst(10).contains(UInt8(ascii: "-")) ? 1 : -1
      seconds += sign * (numbers[6] * 3600 + (numbers.count > 7 ? numbers[7] * 60 : 0))
    }
    return Timestamp(seconds)
  }

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Dates {
  static func text(_ date: Timestamp) -> String {
    guard let parts = parts(of: date) else { return "\(date.seconds)" }
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    var text = "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    text += "T\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    let micros = Int(((date.seconds - date.seconds.rounded(.down)) * 1e6).rounded())
    if micros != 0, micros < 1_000_000 {
      var fraction = padded(micros, 6)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += ".\(fraction)"
    }
    return text + "Z"
  }

  struct Parts {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    var weekday: Int
  }

  static func parts(of date: Timestamp) -> Parts? {
    let floor = date.seconds.rounded(.down)
    guard floor >= -62_135_596_800, floor < 253_402_300_800 else { return nil }
    let total = Int(floor)
    let days = total >= 0 ? total / 86400 : -((86399 - total) / 86400)
    let time = total - days * 86400
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    return Parts(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * fromMarch + 2) / 5 + 1,
      hour: time / 3600, minute: time / 60 % 60, second: time % 60, weekday: ((days + 4) % 7 + 7) % 7 + 1)
  }
}
