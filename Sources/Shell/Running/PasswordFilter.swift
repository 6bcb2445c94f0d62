internal import Modeling

/// Hides the passwords of addresses in messages, as the command line gave them or as they are usually written.
package enum PasswordFilter {
  /// The arguments of the program that hold a password, or parts of such arguments, with the text that is shown for them.
  private static let secrets: [(text: String, shown: String)] = CommandLine.arguments.dropFirst().flatMap { argument in
    [argument, String(argument.drop { $0 != "=" }.dropFirst())].map { ($0, $0.withoutPassword) }.filter { $0.0 != $0.1 }
  }

  /// A message without passwords.
  package static func filtered(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1.text, with: $1.shown) }.withoutPasswords
  }
}
