// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "console-host",
  dependencies: [.package(name: "perilune", path: "../..")],
  targets: [
    .executableTarget(
      name: "console-host",
      dependencies: [
        .product(name: "PeriluneConsole", package: "perilune"), .product(name: "PeriluneKit", package: "perilune"),
      ])
  ]
)
