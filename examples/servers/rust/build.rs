fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = protox::compile(["../benchmark.proto"], [".."])?;
    tonic_prost_build::configure().build_client(false).compile_fds(files)?;
    Ok(())
}
