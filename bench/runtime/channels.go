// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

// The jobs of channel_bench.cpp on Go's channels: a line for each, name and nanoseconds.
package main

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

func pass(capacity, pairs, items int) float64 {
	queue := make(chan int, capacity)
	share := items / pairs
	var all sync.WaitGroup
	start := time.Now()
	for i := 0; i < pairs; i++ {
		all.Add(2)
		go func() {
			defer all.Done()
			for n := 0; n < share; n++ {
				queue <- n
			}
		}()
		go func() {
			defer all.Done()
			for n := 0; n < share; n++ {
				<-queue
			}
		}()
	}
	all.Wait()
	return float64(time.Since(start).Nanoseconds()) / float64(items)
}

// As ours: an operation that its context can end.
func passWithContext(capacity, pairs, items int) float64 {
	queue := make(chan int, capacity)
	share := items / pairs
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var all sync.WaitGroup
	start := time.Now()
	for i := 0; i < pairs; i++ {
		all.Add(2)
		go func() {
			defer all.Done()
			for n := 0; n < share; n++ {
				select {
				case queue <- n:
				case <-ctx.Done():
					return
				}
			}
		}()
		go func() {
			defer all.Done()
			for n := 0; n < share; n++ {
				select {
				case <-queue:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	all.Wait()
	return float64(time.Since(start).Nanoseconds()) / float64(items)
}

func latency() (p50, p99 float64) {
	const samples = 2000
	queue := make(chan time.Time)
	taken := make([]float64, 0, samples)
	done := make(chan struct{})
	go func() {
		for i := 0; i < samples; i++ {
			sent := <-queue
			taken = append(taken, float64(time.Since(sent).Nanoseconds()))
		}
		close(done)
	}()
	for i := 0; i < samples; i++ {
		time.Sleep(100 * time.Microsecond)
		queue <- time.Now()
	}
	<-done
	sort.Float64s(taken)
	return taken[samples/2], taken[samples*99/100]
}

func cancelWaiters() float64 {
	const count = 1000
	queue := make(chan int)
	ctx, cancel := context.WithCancel(context.Background())
	var started int32
	var all sync.WaitGroup
	for i := 0; i < count; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			atomic.AddInt32(&started, 1)
			select {
			case <-queue:
			case <-ctx.Done():
			}
		}()
	}
	for atomic.LoadInt32(&started) < count {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	start := time.Now()
	cancel()
	all.Wait()
	return float64(time.Since(start).Nanoseconds())
}

func main() {
	for _, pairs := range []int{1, 2, 4} {
		for _, capacity := range []int{0, 1, 8, 128} {
			fmt.Printf("pass/go/%d/%d ns %.1f\n", pairs, capacity, pass(capacity, pairs, 200000))
			fmt.Printf("pass/go-context/%d/%d ns %.1f\n", pairs, capacity,
				passWithContext(capacity, pairs, 200000))
		}
	}
	p50, p99 := latency()
	fmt.Printf("latency/go/1/0 p50_ns %.1f\n", p50)
	fmt.Printf("latency/go/1/0 p99_ns %.1f\n", p99)
	fmt.Printf("cancel/go/1000/0 all_ns %.1f\n", cancelWaiters())
}
