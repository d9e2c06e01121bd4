package codec

// The messages as a program declares them for JSON, in the schemas' shapes and names. As in the original, JSON has every field,
// including zeros, and enumerations as numbers.

type smallRequest struct {
	Name string `json:"name"`
}

type addressBook struct {
	People []person `json:"people"`
}

type person struct {
	Name   string        `json:"name"`
	ID     int32         `json:"id"`
	Email  string        `json:"email"`
	Phones []phoneNumber `json:"phones"`
}

type phoneNumber struct {
	Number string `json:"number"`
	Type   int32  `json:"type"`
}

type friendsList struct {
	Profiles []profile `json:"profiles"`
}

type profile struct {
	ID     int32  `json:"id"`
	Name   string `json:"name"`
	About  string `json:"about"`
	Gender bool   `json:"gender"`
	Posts  []post `json:"posts"`
}

type post struct {
	OwnerID   int32      `json:"owner_id"`
	Content   string     `json:"content"`
	Reactions []reaction `json:"reactions"`
	Comments  []comment  `json:"comments"`
}

type reaction struct {
	OwnerID int32 `json:"owner_id"`
	Type    int32 `json:"type"`
}

type comment struct {
	OwnerID int32  `json:"owner_id"`
	Text    string `json:"text"`
}

type things struct {
	Attributes attributes `json:"attributes"`
	Things     []thing1   `json:"things"`
}

type thing1 struct {
	Attributes attributes `json:"attributes"`
	Things     []thing2   `json:"things"`
}

type thing2 struct {
	Attributes attributes `json:"attributes"`
	Value      int32      `json:"value"`
	Things     []thing3   `json:"things"`
}

type thing3 struct {
	Attributes attributes `json:"attributes"`
}

type attributes struct {
	Int1    int32   `json:"int1"`
	Int2    int32   `json:"int2"`
	Int3    int32   `json:"int3"`
	Float1  float32 `json:"float1"`
	Float2  float32 `json:"float2"`
	Float3  float32 `json:"float3"`
	String1 string  `json:"string1"`
	String2 string  `json:"string2"`
	String3 string  `json:"string3"`
	Bool1   bool    `json:"bool1"`
	Bool2   bool    `json:"bool2"`
	Bool3   bool    `json:"bool3"`
	Double1 float64 `json:"double1"`
	Double2 float64 `json:"double2"`
	Double3 float64 `json:"double3"`
}
