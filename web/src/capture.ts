// A picture of the scene, and a movie of what happens on the canvas.

import { byId, download } from './dom';
import { Stage } from './stage';
import { toast } from './toasts';

const movieTypes = ['video/mp4;codecs=avc1.42E01E', 'video/webm;codecs=vp9', 'video/webm'];

export class Capture {
  private recorder: MediaRecorder | null = null;

  constructor(private readonly stage: Stage, private readonly sceneName: () => string) {}

  picture(): void {
    this.stage.draw();
    this.stage.canvas.toBlob((blob) => {
      if (blob) download(`${this.sceneName()}.png`, blob);
    }, 'image/png');
  }

  /** Begins a movie, or ends it and saves it. */
  toggleMovie(): void {
    if (this.recorder) this.recorder.stop();
    else this.begin();
  }

  private begin(): void {
    const type = movieTypes.find((each) => MediaRecorder.isTypeSupported(each));
    if (!type) {
      toast('This browser cannot record a movie.', 'error');
      return;
    }
    const recorder = new MediaRecorder(this.stage.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      this.mark(null);
      download(`${this.sceneName()}.${type.startsWith('video/mp4') ? 'mp4' : 'webm'}`, new Blob(parts, { type }));
    };
    recorder.start(1000);
    this.mark(recorder);
    this.stage.invalidate();
  }

  private mark(recorder: MediaRecorder | null): void {
    this.recorder = recorder;
    const button = byId('movie');
    button.classList.toggle('recording', recorder !== null);
    button.textContent = recorder ? 'Stop' : 'Movie';
  }
}
