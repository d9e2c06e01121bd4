"""A server of gRPC's BenchmarkService with grpcio, on asyncio: server.py HOST:PORT."""

import asyncio
import sys

import grpc

import benchmark_pb2 as messages
import benchmark_pb2_grpc as services


def answer(request):
    return messages.SimpleResponse(payload=messages.Payload(body=bytes(request.response_size)))


class Benchmark(services.BenchmarkServiceServicer):
    async def UnaryCall(self, request, context):
        return answer(request)

    async def StreamingCall(self, requests, context):
        async for request in requests:
            yield answer(request)


async def main(address):
    server = grpc.aio.server()
    services.add_BenchmarkServiceServicer_to_server(Benchmark(), server)
    server.add_insecure_port(address)
    await server.start()
    print("listening on", address, flush=True)
    await server.wait_for_termination()


asyncio.run(main(sys.argv[1]))
