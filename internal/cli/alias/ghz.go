package alias

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// shareInFlight deals calls in flight over the connections.
func shareInFlight(w *Words, a Alias, total string) error {
	all, err := strconv.Atoi(total)
	if err != nil || all < 1 {
		return errors.New("must be a whole number of at least 1")
	}
	text, _ := w.given("connections")
	connections, err := strconv.Atoi(text)
	if err != nil || connections < 1 {
		connections = 1 // what is wrong is said where it is read
	}
	if all%connections != 0 {
		return fmt.Errorf("not a multiple of --connections %d, so the calls can't be divided evenly", connections)
	}
	return w.flags.Set(a.flag, strconv.Itoa(all/connections))
}

func file(w *Words, a Alias, path string) error {
	if _, err := strconv.ParseFloat(path, 64); err == nil && a.letter == "D" {
		return fmt.Errorf("as in ghz and hey, -D names a file of requests; --duration %s sets how long to load", path)
	}
	return w.flags.Set(a.flag, "@"+path)
}

func binaryFile(w *Words, a Alias, path string) error {
	return errors.Join(file(w, a, path), w.flags.Set("data-format", "binary"))
}

// binaryStdin reads one message from standard input.
func binaryStdin(w *Words, a Alias, on string) error {
	if on == "false" {
		return nil
	}
	return errors.Join(w.flags.Set(a.flag, "@-"), w.flags.Set("data-format", "binary"))
}

func folders(w *Words, a Alias, list string) error {
	var err error
	for folder := range strings.SplitSeq(list, ",") {
		err = errors.Join(err, w.flags.Set(a.flag, folder))
	}
	return err
}

// formats are its words for formats where we have others.
var formats = map[string]string{"summary": "text", "pretty": "json"}

func format(w *Words, a Alias, name string) error {
	return w.flags.Set(a.flag, cmp.Or(formats[name], name))
}

// interval sets the message rate that has a gap; 0 is none.
func interval(w *Words, a Alias, text string) error {
	gap, err := time.ParseDuration(text)
	switch {
	case err != nil || gap < 0:
		return errors.New("not a duration, such as 50ms")
	case gap == 0:
		return nil
	}
	return w.flags.Set(a.flag, strconv.FormatFloat(float64(time.Second)/float64(gap), 'g', 9, 64))
}

// streamDuration sets the number of messages that are due within a time: message 0 is due at its begin.
func streamDuration(w *Words, a Alias, text string) error {
	length, err := time.ParseDuration(text)
	if err != nil || length <= 0 {
		return errors.New("not a duration, such as 2s")
	}
	perSec, _ := w.given("message-rate")
	rate, err := strconv.ParseFloat(perSec, 64)
	if err != nil {
		return errors.New("it goes with --message-rate, or ghz's --stream-interval, only, which make it a number of messages")
	}
	return w.flags.Set(a.flag, strconv.FormatFloat(math.Ceil(rate*length.Seconds()-1e-6), 'f', 0, 64))
}

// dynamicMessages accepts what functions do anyway.
func dynamicMessages(_ *Words, _ Alias, on string) error {
	if on != "true" {
		return errors.New("functions give each message of a stream its own values; without functions all are alike")
	}
	return nil
}
