package stack

import "testing"

func TestStatusesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "404": "404", "200 , 302": "200,302", "2xx": "200-299", "4XX,503": "400-499,503", "200-204": "200-204", "999": "999",
	} {
		got, err := ParseStatuses(text)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
		if again, err := ParseStatuses(got.String()); err != nil || again.String() != want {
			t.Errorf("%q does not read as what it is: %v, %v", got, again, err)
		}
	}
	for _, text := range []string{
		"OK", "20", "2000", "99", "100", "1xx", "0xx", "xx", "4x", "300-200", "200-",
		"-200", "200,,300", "200-20x", "+20", "200-2xx", ",",
	} {
		if got, err := ParseStatuses(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestNoStatusesAreTheUsualOnes(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{199: false, 200: true, 299: true, 300: false, 404: false} {
		if got := Statuses(nil).Check(status) == nil; got != want {
			t.Errorf("%d: %v, want %v", status, got, want)
		}
	}
}
