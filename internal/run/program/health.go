package program

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// askPause is the pause between two health checks.
const askPause = 20 * time.Millisecond

// healthy waits until the program's health service says that it serves.
func (p *program) healthy(ctx context.Context) error {
	target := "passthrough:///" + p.at.Text
	if p.at.Network == "unix" {
		target = "unix:" + p.at.Text
	}
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	service := grpc_health_v1.NewHealthClient(conn)
	for {
		answer, err := service.Check(ctx, &grpc_health_v1.HealthCheckRequest{})
		switch {
		case answer.GetStatus() == grpc_health_v1.HealthCheckResponse_SERVING:
			return nil
		case status.Code(err) == codes.Unimplemented:
			return fmt.Errorf("%s offers no grpc.health.v1.Health", p.at)
		}
		select {
		case <-p.server.Over():
			return p.server.Ended()
		case <-ctx.Done():
			return fmt.Errorf("its health service did not say SERVING: %w", context.Cause(ctx))
		case <-time.After(askPause):
		}
	}
}
