// Command server is a server of gRPC's BenchmarkService with grpc-go: server HOST:PORT.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"
	pb "google.golang.org/grpc/interop/grpc_testing"
)

type benchmark struct{ pb.UnimplementedBenchmarkServiceServer }

func (benchmark) UnaryCall(_ context.Context, request *pb.SimpleRequest) (*pb.SimpleResponse, error) {
	return answer(request), nil
}

func (benchmark) StreamingCall(stream pb.BenchmarkService_StreamingCallServer) error {
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := stream.Send(answer(request)); err != nil {
			return err
		}
	}
}

func answer(request *pb.SimpleRequest) *pb.SimpleResponse {
	return &pb.SimpleResponse{Payload: &pb.Payload{Body: make([]byte, request.GetResponseSize())}}
}

func main() {
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterBenchmarkServiceServer(server, benchmark{})
	fmt.Println("listening on", listener.Addr())
	log.Fatal(server.Serve(listener))
}
