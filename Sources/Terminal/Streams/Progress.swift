import Glibc
internal import Modeling
package import Presentation

/// A progress line on standard error, shown after the first second and on a terminal only.
///
///     import books.csv  ████████▍        53 %  558k/1.1M rows  410k/s  ETA 0:01
package final class Progress {
  private static let delay = 1.0
  private static let interval = 0.1
  private static let barWidth = 16

  private let label: String
  private let unit: String
  private var total: Int?
  /// Returns the total where finding it costs something; called when the line is first drawn.
  package var findTotal: (() -> Int?)?
  private let options: Options
  private let started: Double
  private var nextDraw: Double

  /// Where and how the line is drawn.
  package struct Options {
    package var isEnabled: Bool
    package var width = 80
    package var charset = Charset.utf8
    /// Seconds from any point in time.
    package var now: () -> Double
    package var write: (String) -> Void
    /// Asked before the line is drawn; false leaves it out this time.
    package var mayDraw: (Progress) -> Bool = { _ in true }

    package init(
      isEnabled: Bool,
      width: Int = 80,
      charset: Charset = .utf8,
      now: @escaping () -> Double,
      write: @escaping (String) -> Void
    ) {
      self.isEnabled = isEnabled
      self.width = width
      self.charset = charset
      self.now = now
      self.write = write
    }

    /// Standard error, if it is a terminal.
    package static func standardError(_ environment: [String: String]) -> Options {
      let size = environment["TERM"] == "dumb" ? nil : TerminalSize.current(2, environment: environment)
      return Options(
        isEnabled: size != nil, width: size?.columns ?? 80, charset: .detect(environment), now: monotonicSeconds,
        write: { text in
          let sink = OutputSink(descriptor: 2, capacity: 1 << 10)
          sink.write(text)
        })
    }
  }

  package init(_ label: String, total: Int?, unit: String, options: Options) {
    self.label = label
    self.total = total
    self.unit = unit
    self.options = options
    started = options.now()
    nextDraw = started + Self.delay
  }

  /// A line for work of unknown length, which shows the time that it has taken.
  package convenience init(waiting label: String, options: Options) {
    self.init(label, total: nil, unit: "", options: options)
  }

  /// Says how many are done by now. Costs a look at the clock.
  package func update(_ count: Int) {
    guard options.isEnabled else { return }
    let now = options.now()
    guard now >= nextDraw else { return }
    nextDraw = now + Self.interval
    guard options.mayDraw(self) else { return }
    isDrawn = true
    if let findTotal {
      self.findTotal = nil
      total = findTotal()
    }
    options.write(
      "\r" + DisplayText(line(count, elapsed: now - started), in: options.width - 1, options.charset).text + "\u{1B}[K")
  }

  /// Whether the line is on the terminal.
  package private(set) var isDrawn = false

  /// Whether the length of the work is unknown.
  package var isWaiting: Bool { unit.isEmpty }

  /// Takes the line away; the next update draws it again.
  package func finish() {
    guard isDrawn else { return }
    isDrawn = false
    options.write("\r\u{1B}[K")
  }

  private func line(_ count: Int, elapsed: Double) -> String {
    if isWaiting { return "\(label)  \(Quantity.clock(elapsed))" }
    let rate = Double(count) / max(elapsed, 0.001)
    guard let total, total > 0 else {
      return "\(label)  \(Quantity.short(Double(count))) \(unit)  \(Quantity.short(rate))/s  \(Quantity.clock(elapsed))"
    }
    let part = min(Double(count) / Double(total), 1)
    let remaining = rate > 0 ? Double(max(total - count, 0)) / rate : 0
    let counts = "\(Quantity.short(Double(count)))/\(Quantity.short(Double(total))) \(unit)"
    let percent = "\(Int(saturating: part * 100)) %"
    return "\(label)  \(bar(part))  \(percent)  \(counts)  \(Quantity.short(rate))/s  ETA \(Quantity.clock(remaining))"
  }

  private func bar(_ part: Double) -> String {
    if options.charset == .ascii {
      let full = Int(saturating: part * Double(Self.barWidth))
      return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: Self.barWidth - full) + "]"
    }
    let eighths = Int(saturating: part * Double(Self.barWidth * 8))
    let pieces = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let bar = String(repeating: "█", count: eighths / 8) + pieces[eighths % 8]
    return bar + String(repeating: " ", count: Self.barWidth - bar.count)
  }
}
