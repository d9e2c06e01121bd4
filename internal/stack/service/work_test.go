package service_test

import (
	"io"
	"slices"
	"testing"

	"rpcbench/internal/stack/service"
)

// A job is a request that may have the server do something.
type job struct {
	number int
	works  bool
}

func (j *job) Works() bool { return j.works }

type jobs []*job

func (s *jobs) Recv() (*job, error) {
	if len(*s) == 0 {
		return nil, io.EOF
	}
	first := (*s)[0]
	*s = (*s)[1:]
	return first, nil
}

func TestAllOfAnUploadIsDoneAndTheLastAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sent jobs
		done []int
		last int
	}{
		{jobs{{1, true}, {2, true}, {3, true}}, []int{1, 2, 3}, 3},
		{jobs{{1, false}, {2, false}}, []int{2}, 2},
		{jobs{{1, true}, {2, false}}, []int{1, 2}, 2},
		{jobs{}, []int{0}, 0},
	} {
		var done []int
		answer, err := service.AnswerLast(&c.sent, func(j *job) (*int, error) {
			done = append(done, j.number)
			return &j.number, nil
		})
		if err != nil || *answer != c.last || !slices.Equal(done, c.done) {
			t.Errorf("answered %v after %v, %v; want %d after %v", *answer, done, err, c.last, c.done)
		}
	}
}
