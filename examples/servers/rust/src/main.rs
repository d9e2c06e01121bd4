//! A server of gRPC's BenchmarkService with tonic: server-rust HOST:PORT.

use std::pin::Pin;

use pb::benchmark_service_server::{BenchmarkService, BenchmarkServiceServer};
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming, transport::Server};

mod pb {
    tonic::include_proto!("grpc.testing");
}

struct Benchmark;

fn answer(request: pb::SimpleRequest) -> pb::SimpleResponse {
    let body = vec![0; request.response_size.max(0) as usize];
    pb::SimpleResponse { payload: Some(pb::Payload { body }) }
}

#[tonic::async_trait]
impl BenchmarkService for Benchmark {
    async fn unary_call(
        &self,
        request: Request<pb::SimpleRequest>,
    ) -> Result<Response<pb::SimpleResponse>, Status> {
        Ok(Response::new(answer(request.into_inner())))
    }

    type StreamingCallStream = Pin<Box<dyn Stream<Item = Result<pb::SimpleResponse, Status>> + Send>>;

    async fn streaming_call(
        &self,
        requests: Request<Streaming<pb::SimpleRequest>>,
    ) -> Result<Response<Self::StreamingCallStream>, Status> {
        let answers = requests.into_inner().map(|request| request.map(answer));
        Ok(Response::new(Box::pin(answers)))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("usage: server-rust HOST:PORT")?;
    // Without TCP_NODELAY, replies wait for acknowledgements that clients delay by 40 ms.
    let incoming = TcpIncoming::bind(address.parse()?)?.with_nodelay(Some(true));
    println!("listening on {address}");
    Server::builder()
        .add_service(BenchmarkServiceServer::new(Benchmark))
        .serve_with_incoming(incoming)
        .await?;
    Ok(())
}
