package stack

import "strconv"

// IntOption reads the option name, a whole number from least to most. It is 0 where the option is not given.
func IntOption(options map[string]string, name string, least, most int) (int, error) {
	text, given := options[name]
	if !given {
		return 0, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least || value > most {
		return 0, Errorf(InvalidArgument, "option %s is %q, and must be a whole number from %d to %d", name, text, least, most)
	}
	return value, nil
}
