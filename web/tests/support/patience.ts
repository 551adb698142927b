// What a test waits for comes late on a busy machine; the library gives up after one second.
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 20_000 });
