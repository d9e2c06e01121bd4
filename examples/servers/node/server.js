// A server of gRPC's BenchmarkService with grpc-js: node server.js HOST:PORT.
'use strict';

const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const file = path.join(__dirname, '..', 'benchmark.proto');
const { grpc: { testing } } = grpc.loadPackageDefinition(loader.loadSync(file, { keepCase: true }));

const answer = (request) => ({ payload: { body: Buffer.alloc(request.response_size) } });

const server = new grpc.Server();
server.addService(testing.BenchmarkService.service, {
  UnaryCall: (call, done) => done(null, answer(call.request)),
  StreamingCall: (call) => {
    call.on('data', (request) => {
      if (!call.write(answer(request))) { // the client is not reading fast enough
        call.pause();
        call.once('drain', () => call.resume());
      }
    });
    call.on('end', () => call.end());
  },
});
server.bindAsync(process.argv[2], grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  console.log('listening on', process.argv[2]);
});
process.on('SIGTERM', () => server.forceShutdown());
