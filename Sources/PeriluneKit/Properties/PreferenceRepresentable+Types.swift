public import Foundation
public import Reactive

extension Date: PreferenceRepresentable {
  /// The instant.
  public var preferenceValue: PreferenceValue { .date(timeIntervalSince1970) }
  /// Converts an instant of the file.
  public init?(preferenceValue: PreferenceValue) {
    guard case .date(let seconds) = preferenceValue else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension Data: PreferenceRepresentable {
  /// The bytes.
  public var preferenceValue: PreferenceValue { .data(Array(self)) }
  /// Converts bytes of the file.
  public init?(preferenceValue: PreferenceValue) {
    guard case .data(let bytes) = preferenceValue else { return nil }
    self.init(bytes)
  }
}

extension RawRepresentable where Self: PreferenceRepresentable, RawValue: PreferenceRepresentable {
  /// The raw value.
  public var preferenceValue: PreferenceValue { rawValue.preferenceValue }
  /// Creates the value with the raw value in the file.
  public init?(preferenceValue: PreferenceValue) {
    guard let rawValue = RawValue(preferenceValue: preferenceValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
