// Something that a button does on the server: busy while it runs, and in words what went wrong.
import { useCallback, useState } from "react";

import { wordsOf } from "../api/client";

export interface Task {
  busy: boolean;
  problem: string | null;
  run(action: () => Promise<unknown>): Promise<boolean>; // true: it went well
}

export function useTask(): Task {
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({
    busy: false,
    problem: null,
  });
  const run = useCallback(async (action: () => Promise<unknown>) => {
    setState({ busy: true, problem: null });
    try {
      await action();
      setState({ busy: false, problem: null });
      return true;
    } catch (error) {
      setState({ busy: false, problem: wordsOf(error) });
      return false;
    }
  }, []);
  return { ...state, run };
}
