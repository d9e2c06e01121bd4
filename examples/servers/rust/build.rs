fn main() -> std::io::Result<()> {
    tonic_prost_build::configure().build_client(false).compile_protos(&["../benchmark.proto"], &[".."])
}
