package plan

import (
	"encoding/json"
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

func TestANoteOfBeforeThereWereCodesIsItsSentence(t *testing.T) {
	t.Parallel()
	var notes []Note
	text := `["Left out.", {"code": "left_out", "text": "It too."}]`
	want := []Note{{Text: "Left out."}, {NoteLeftOut, "It too."}}
	if err := json.Unmarshal([]byte(text), &notes); err != nil || !cmp.Equal(want, notes) {
		t.Errorf("got %v, %v", notes, err)
	}
	for _, text := range []string{`[3]`, `[{"code": "left_out", "txt": "?"}]`} {
		if err := json.Unmarshal([]byte(text), &notes); err == nil {
			t.Errorf("%s is taken: %v", text, notes)
		}
	}
}
