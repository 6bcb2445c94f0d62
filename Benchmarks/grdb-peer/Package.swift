// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "grdb-peer",
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")],
  targets: [
    .executableTarget(name: "grdb-peer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
  ]
)
