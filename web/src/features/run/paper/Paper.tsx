// One paper: its statistics before and after, and each review on a ruler.
import { useRun } from "../context";
import { PaperDecision } from "../decisions/PaperDecision";
import { Neighbours } from "./Neighbours";
import { PaperFacts } from "./PaperFacts";
import { PlaceSentence } from "./PlaceSentence";
import { PaperStatistics } from "./PaperStatistics";
import { ReviewCard } from "./ReviewCard";
import { RulerLegend } from "./RulerLegend";
import { SureSentence } from "./SureSentence";
import "./paper.css";

export function Paper({ paper }: { paper: number }) {
  const { run } = useRun();
  const reviews = run.reviewsOf[paper] ?? [];
  return (
    <div className="stack paper-page">
      <div className="row spread">
        <PaperFacts paper={paper} />
        <Neighbours paper={paper} />
      </div>
      <PlaceSentence paper={paper} />
      <SureSentence paper={paper} />
      <PaperDecision paper={paper} />
      <PaperStatistics paper={paper} />
      <section className="stack tight" aria-labelledby="reviews">
        <div className="row spread">
          <h2 id="reviews">Reviews</h2>
          <RulerLegend />
        </div>
        {reviews.map((review) => (
          <ReviewCard key={review} review={review} />
        ))}
      </section>
    </div>
  );
}
