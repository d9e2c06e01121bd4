package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/scenario"
)

func TestEachNoteHasACode(t *testing.T) {
	t.Parallel()
	codes := func(p Plan, err error) []NoteCode {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var codes []NoteCode
		for _, note := range p.Notes {
			codes = append(codes, note.Code)
		}
		return codes
	}
	_, short, err := inOrder(t, same, "- {title: a, kind: unary, stack: grpc-java}", scenario.Override{Key: "warmup", Value: "1s"})
	if diff := cmp.Diff([]NoteCode{NoteShortWarmup}, codes(short, err)); diff != "" {
		t.Error(diff)
	}
	without := []scenario.Scenario{parse(t, "x", "- {title: a, kind: unary, stack: [all], network: [unix, tcp]}")}
	left, err := New(without, fakes()[1:], Config{Floor: true})
	if diff := cmp.Diff([]NoteCode{NoteFloorMissing, NoteLeftOut}, codes(left, err)); diff != "" {
		t.Error(diff, left.Notes)
	}
}
