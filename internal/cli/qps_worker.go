package cli

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/run/qpsworker"
	"rpcbench/internal/stack"
)

// qpsWorker serves grpc.testing.WorkerService until a driver or a signal ends it.
func (e *env) qpsWorker() *cobra.Command {
	var f serveFlags
	var driverPort, serverPort uint16
	command := &cobra.Command{
		Use:   "qps-worker",
		Short: "Run a benchmark worker for gRPC's QPS driver, with any stack",
		Example: `  rpcbench qps-worker --driver-port 10000
  rpcbench qps-worker --driver-port 10010 --stack grpc-java-netty`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			fleet, jvmOptions, err := f.host(e)
			if err != nil {
				return err
			}
			if protocol := fleet.Protocols()[f.stack]; protocol != "" && protocol != stack.ProtocolGRPC {
				return badInput(fmt.Errorf("--stack: %s is not a gRPC stack, and a gRPC benchmark worker makes and serves gRPC calls",
					f.stack))
			}
			at := net.JoinHostPort(f.listen, strconv.Itoa(int(driverPort)))
			listener, err := net.Listen("tcp", at)
			if err != nil {
				return badInput(fmt.Errorf("--listen, --driver-port: cannot listen on %s: %w", at, plain.Cause(err)))
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			server := grpc.NewServer(grpc.WaitForHandlers(true))
			worker := qpsworker.Register(server, qpsworker.Config{
				Stack: f.stack, JVMOptions: jvmOptions, Launcher: fleet.Launcher(), Listen: f.listen, ServerPort: int(serverPort),
				Note: func(text string) { command.PrintErrf("note: %s\n", text) },
			})
			go endOn(ctx, worker, server)
			if _, err := fmt.Fprintf(e.out, "Listening on %s\n", listener.Addr()); err != nil {
				return failed(err)
			}
			if err := server.Serve(listener); err != nil {
				return failed(err)
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.Uint16Var(&driverPort, "driver-port", 0, "`port` for drivers; 0 picks a free one")
	flags.Uint16Var(&serverPort, "server-port", 0, "`port` of servers unless the driver names one; 0 picks a free one")
	flags.StringVar(&f.listen, "listen", "127.0.0.1", "`address` to listen on, of this worker and its servers")
	flags.StringVar(&f.stack, "stack", "grpc-go", "`stack` of its servers and clients")
	flags.StringVar(&f.jvm, "jvm-options", "", "JVM `options` of a worker that runs on a JVM, such as '-Xms2g -Xmx2g'")
	f.workers.add(flags)
	flags.SetNormalizeFunc(alias.Underscores)
	return command
}

// quitPatience is how long a driver may take to receive the answer to QuitWorker, and to end its streams.
const quitPatience = 5 * time.Second

// endOn ends the server when the user or a driver asks for it, and with it the worker's role.
func endOn(ctx context.Context, worker *qpsworker.Worker, server *grpc.Server) {
	select {
	case <-ctx.Done():
	case <-worker.Quit():
		late := time.AfterFunc(quitPatience, server.Stop)
		defer late.Stop()
		server.GracefulStop()
	}
	server.Stop()
}
