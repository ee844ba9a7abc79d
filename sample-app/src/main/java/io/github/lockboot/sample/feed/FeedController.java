package io.github.lockboot.sample.feed;

import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The events of this instance. The page of each instance reads the events of all
 * instances.
 */
@RestController
record FeedController(EventFeed feed) {

	@CrossOrigin
	@GetMapping("/events")
	SseEmitter events() {
		return this.feed.watch();
	}

}
