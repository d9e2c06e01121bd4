package codec

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

// A clock moves only when an operation is performed.
type clock struct {
	time time.Time
	runs []int64 // how many operations were asked for, each time
}

func (c *clock) now() time.Time { return c.time }

func (c *clock) run(each time.Duration) func(n int64) error {
	return func(n int64) error {
		c.runs = append(c.runs, n)
		c.time = c.time.Add(time.Duration(n) * each)
		return nil
	}
}

func TestRepeatMakesACallAsLongAsTheSample(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		each, sample time.Duration
		repeat       int64
		last         int64 // that was timed
	}{
		{time.Microsecond, 20 * time.Millisecond, 20_000, 4096},
		{3 * time.Microsecond, 20 * time.Millisecond, 6666, 2048},
		{time.Nanosecond, 10 * time.Second, 10_000_000_000, 1 << 31},
		{4 * time.Millisecond, 20 * time.Millisecond, 5, 1},
		{time.Millisecond, 10 * time.Second, 10_000, 2048},
		{time.Millisecond, time.Minute, 60_000, 2048}, // not 16,384: they would take 16 s
		{time.Second, 20 * time.Millisecond, 1, 1},    // no call is less than an operation
	} {
		clock := &clock{}
		repeat, err := calibrate(clock.now, c.sample, clock.run(c.each))
		if err != nil || repeat != c.repeat {
			t.Errorf("%v each: repeat is %d, %v; want %d", c.each, repeat, err, c.repeat)
		}
		if last := clock.runs[len(clock.runs)-1]; last != c.last {
			t.Errorf("%v each: scaled from %d operations, want %d", c.each, last, c.last)
		}
	}
}

func TestWarmUpEndsAfterAHundredOperationsOrAFifthOfTheSample(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		each   time.Duration
		warmup int
		timed  []int64
	}{
		{10 * time.Microsecond, 100, []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512}},
		{100 * time.Microsecond, 40, []int64{1, 2, 4, 8, 16, 32, 64, 64}},
		{time.Millisecond, 4, []int64{1, 2, 4, 4}},
		{time.Second, 1, []int64{1, 1}},
	} {
		clock := &clock{}
		if _, err := calibrate(clock.now, 20*time.Millisecond, clock.run(c.each)); err != nil {
			t.Fatal(err)
		}
		if want := append(slices.Repeat([]int64{1}, c.warmup), c.timed...); !slices.Equal(clock.runs, want) {
			t.Errorf("%v each: runs %v, want %v", c.each, clock.runs, want)
		}
	}
}

// Something else that the machine does may make an operation seem slow, but not twice in a row.
func TestRepeatIsOfOperationsThatNothingHeldUp(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	quick := clock.run(10 * time.Microsecond)
	repeat, err := calibrate(clock.now, 20*time.Millisecond, func(n int64) error {
		if n == 8 && clock.runs[len(clock.runs)-1] == 4 || n == 512 && clock.runs[len(clock.runs)-1] == 512 {
			clock.time = clock.time.Add(5 * time.Millisecond)
		}
		return quick(n)
	})
	if err != nil || repeat != 2000 {
		t.Errorf("repeat is %d, %v; want 2000", repeat, err)
	}
}

func open(t *testing.T, kind, message, codec string) *caller {
	t.Helper()
	conn, err := New().Dial(t.Context(), stack.DialConfig{InFlight: 1})
	if err != nil {
		t.Fatal(err)
	}
	made, err := conn.Caller(stack.Call{Kind: kind, Codec: &stack.Codec{
		Message: message, Codec: codec, Seed: 5, Sample: stack.SampleMin,
	}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return made.(*caller)
}

func TestACallerIsCalibratedAndItsCallsAreRight(t *testing.T) {
	t.Parallel()
	for _, codec := range codecNames() {
		for _, kind := range []string{stack.KindEncode, stack.KindDecode} {
			c := open(t, kind, "address-book", codec)
			found := c.Calibration()
			if found.Repeat < 1 || found.EncodedBytes != len(c.encoded) || found.EncodedBytes == 0 {
				t.Errorf("%s %s: %+v, and an encoding has %d bytes", codec, kind, found, len(c.encoded))
			}
			if err := c.Call(t.Context()); err != nil {
				t.Errorf("%s %s: %v", codec, kind, err)
			}
			if err := c.After(); err != nil {
				t.Errorf("%s %s: %v", codec, kind, err)
			}
		}
	}
}

func TestGzippedBytesAreThoseOfTheDefaultLevel(t *testing.T) {
	t.Parallel()
	plain := open(t, stack.KindEncode, "address-book", "json")
	packed := open(t, stack.KindEncode, "address-book", "json-gzip")
	var whole bytes.Buffer
	w := gzip.NewWriter(&whole)
	w.Write(plain.encoded)
	w.Close()
	if got := plain.Calibration().GzippedBytes; got != whole.Len() {
		t.Errorf("json gzips to %d bytes, want %d", got, whole.Len())
	}
	want := stack.Calibration{Repeat: packed.Calibration().Repeat, EncodedBytes: whole.Len(), GzippedBytes: whole.Len(),
		PlainBytes: len(plain.encoded)}
	if got := packed.Calibration(); got != want {
		t.Errorf("json-gzip has %+v, want %+v", got, want)
	}
}

// counting makes a caller whose operations only count, and fail where fail says so.
func counting(repeat int64, fail func(n int64) error) (*caller, *int64) {
	var n int64
	return &caller{
		encoded:     []byte{},
		calibration: stack.Calibration{Repeat: repeat},
		operations: operations{encode: func() ([]byte, error) {
			n++
			return []byte{}, fail(n)
		}},
	}, &n
}

func TestACallPerformsRepeatOperations(t *testing.T) {
	t.Parallel()
	for _, repeat := range []int64{1, 2, 63, 64, 65, 1000, 12_345} {
		c, n := counting(repeat, func(int64) error { return nil })
		if err := c.Call(t.Context()); err != nil || *n != repeat {
			t.Errorf("%d operations, %v; want %d", *n, err, repeat)
		}
	}
}

func TestACallThatIsCancelledEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, n := counting(6400, func(n int64) error {
		if n == 250 {
			cancel()
		}
		return nil
	})
	if err := c.Call(ctx); stack.CodeOf(err) != stack.Canceled || *n != 300 {
		t.Errorf("%v after %d operations, want CANCELLED after the stretch that ends with 300", err, *n)
	}
}

func TestAFailedOperationFailsTheCall(t *testing.T) {
	t.Parallel()
	c, n := counting(100, func(n int64) error {
		if n == 7 {
			return io.ErrShortWrite
		}
		return nil
	})
	if err := c.Call(t.Context()); stack.CodeOf(err) != stack.Internal || !errors.Is(err, io.ErrShortWrite) || *n != 7 {
		t.Errorf("%v after %d operations, want INTERNAL after 7", err, *n)
	}
}

func TestAWrongResultIsMismatch(t *testing.T) {
	t.Parallel()
	encode := open(t, stack.KindEncode, "small", "json")
	if err := encode.Call(t.Context()); err != nil {
		t.Fatal(err)
	}
	encode.wrote = append(encode.wrote, ' ')
	wantMismatch(t, encode.After(), "the last encoding differs from the first")
	decode := open(t, stack.KindDecode, "small", "json")
	if err := decode.Call(t.Context()); err != nil {
		t.Fatal(err)
	}
	decode.read.(*smallRequest).Name += "!"
	wantMismatch(t, decode.After(), "name is ")
}

func wantMismatch(t *testing.T, err error, want string) {
	t.Helper()
	if stack.CodeOf(err) != stack.Mismatch || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want MISMATCH with %q", err, want)
	}
}
